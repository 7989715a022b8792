#include "corpus/bindings.hpp"

#include <optional>

#include "corpus/load_case.hpp"
#include "json/value.hpp"

namespace jrpcheck::corpus {
namespace {

constexpr std::string_view kMethodPrefix = "method:";

bool is_numbered(std::string_view name, std::string_view stem) {
  return name.substr(0, stem.size()) == stem && name.size() == stem.size() + 1 &&
         name.back() >= '2' && name.back() <= '9';
}

struct Replacement {
  std::string text;        ///< as content of a JSON string
  bool is_number = false;  ///< a string that is nothing but this placeholder becomes a Number
};

std::string as_string_content(const std::string& text) {
  const std::string quoted = json::write(json::Value::string(text));
  return quoted.substr(1, quoted.size() - 2);
}

std::optional<Replacement> replacement_for(std::string_view name, const Bindings& bindings) {
  if (name == "id") return Replacement{std::to_string(bindings.first_id), true};
  if (is_numbered(name, "id")) {
    return Replacement{std::to_string(bindings.first_id + (name.back() - '1')), true};
  }
  if (name == "string-id") return Replacement{as_string_content(bindings.string_id)};
  if (name == "unknown") return Replacement{as_string_content(bindings.unknown_method)};
  if (is_numbered(name, "unknown")) {
    return Replacement{as_string_content(bindings.unknown_method + name.back())};
  }
  if (name.substr(0, kMethodPrefix.size()) == kMethodPrefix) {
    const auto role = bindings.roles.find(std::string(name.substr(kMethodPrefix.size())));
    if (role != bindings.roles.end()) return Replacement{as_string_content(role->second)};
  }
  return std::nullopt;
}

// Whether `out` ends in an opening quote (plain, or escaped within a text) whose like follows at
// `rest`: then the placeholder is the whole string. Gives the length of that quote.
std::size_t surrounding_quote(std::string_view out, std::string_view rest) {
  for (const std::string_view quote : {std::string_view("\\\""), std::string_view("\"")}) {
    if (out.size() >= quote.size() && out.substr(out.size() - quote.size()) == quote &&
        rest.substr(0, quote.size()) == quote) {
      return quote.size();
    }
  }
  return 0;
}

Result<std::string> replace_placeholders(std::string_view text, const Bindings& bindings) {
  std::string out;
  for (;;) {
    const auto begin = text.find("${");
    if (begin == std::string_view::npos) break;
    const auto end = text.find('}', begin);
    const auto name = text.substr(begin + 2, end == std::string_view::npos ? 0 : end - begin - 2);
    const auto replacement = replacement_for(name, bindings);
    if (!replacement) return Error{"unknown placeholder ${" + std::string(name) + "}"};
    out += text.substr(0, begin);
    text.remove_prefix(end + 1);
    if (const auto quote = surrounding_quote(out, text); replacement->is_number && quote != 0) {
      out.resize(out.size() - quote);
      text.remove_prefix(quote);
    }
    out += replacement->text;
  }
  return out += text;
}

}  // namespace

Result<Case> bind(const Case& unbound, const Bindings& bindings) {
  auto text = replace_placeholders(unbound.source, bindings);
  if (!text) {
    return Error{unbound.file + ":" + std::to_string(unbound.line) + ": case '" + unbound.id +
                 "': " + text.error().message};
  }
  auto bound = load_case(unbound.file, *text);
  if (bound) bound->line = unbound.line;
  return bound;
}

}  // namespace jrpcheck::corpus
