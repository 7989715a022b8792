#include "reports/citation.hpp"

#include <array>
#include <utility>

namespace jrpcheck::reports {
namespace {

constexpr std::string_view kDecimalDigits = "0123456789";
constexpr std::string_view kSectionDigits = "0123456789.";

using Place = std::pair<std::string_view, std::string_view>;

// The sections of JSON-RPC 2.0 have names in its addresses, the longer numbers first.
constexpr std::array<Place, 11> kSections = {{{"4.1", "notification"},
                                              {"4.2", "parameter_structures"},
                                              {"5.1", "error_object"},
                                              {"1", "overview"},
                                              {"2", "conventions"},
                                              {"3", "compatibility"},
                                              {"4", "request_object"},
                                              {"5", "response_object"},
                                              {"6", "batch"},
                                              {"7", "examples"},
                                              {"8", "extensions"}}};

constexpr std::array<Place, 4> kDocuments = {{
    {"JSON-RPC 1.0", "https://www.jsonrpc.org/specification_v1"},
    {"LSP base protocol",
     "https://microsoft.github.io/language-server-protocol/specifications/base/0.9/specification/"},
    {"draft", "https://www.jsonrpc.org/historical/json-rpc-over-http.html"},
    {"mcp transports", "https://modelcontextprotocol.io/specification/2025-06-18/basic/transports"},
}};

// "8.1" of "8.1; RFC 1122" or of " §8.1".
std::string_view section_in(std::string_view text) {
  const auto begin = text.find_first_of(kDecimalDigits);
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_not_of(kSectionDigits));
}

std::string section_link(std::string_view section) {
  std::string page = "https://www.jsonrpc.org/specification";
  for (const auto& [number, name] : kSections) {
    if (section.starts_with(number)) return page + "#" + std::string(name);
  }
  return page;
}

std::string rfc_link(std::string_view clause) {
  const auto number = section_in(clause);
  const auto end = clause.find(number) + number.size();
  const auto section = section_in(clause.substr(end, clause.find(';', end) - end));
  return "https://www.rfc-editor.org/rfc/rfc" + std::string(number) +
         (section.empty() ? "" : "#section-" + std::string(section));
}

}  // namespace

std::string clause_link(const corpus::Requirement& requirement) {
  constexpr std::string_view kJsonRpc = "JSON-RPC 2.0";
  const std::string clause = requirement.cited_clause();
  if (clause.starts_with(kJsonRpc)) return section_link(section_in(clause.substr(kJsonRpc.size())));
  if (clause.starts_with("RFC ")) return rfc_link(clause);
  for (const auto& [name, address] : kDocuments) {
    if (requirement.clause.starts_with(name)) return std::string(address);
  }
  return "";
}

std::string thread_link(std::string_view citation) {
  constexpr std::string_view kNames =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./";
  const auto space = citation.find(" #");
  if (space == std::string_view::npos) return "";
  const auto project = citation.substr(0, space);
  const auto number = citation.substr(
      space + 2, citation.find_first_not_of(kDecimalDigits, space + 2) - (space + 2));
  const bool is_thread = project.find('/') != std::string_view::npos && !number.empty() &&
                         project.find_first_not_of(kNames) == std::string_view::npos;
  if (!is_thread) return "";
  return "https://github.com/" + std::string(project) + "/issues/" + std::string(number);
}

}  // namespace jrpcheck::reports
