// Defects in what is said about text that is not JSON, or only looks as if it were none
// (JSON-RPC 2.0 §5.1, RFC 8259).
#include <algorithm>
#include <string>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::string_view kByteOrderMarkBefore = "\xEF\xBB\xBF";

/// Answers messages for which `applies` as if they were not JSON.
Behaviour parse_error_for(bool (*applies)(std::string_view message)) {
  return {.reply = [applies](std::string_view message, const ProperReply& proper) -> Reply {
    if (!is_json(message) || !applies(message)) return proper(message);
    return error_text(-32700, "Parse error");
  }};
}

Behaviour parse_error_code(std::string code) {
  return on_error_of(-32700, [code = std::move(code)](ObjectText&, ObjectText& error) {
    error.set("code", code);
  });
}

bool has_escape(std::string_view text) { return text.find("\\u") != text.npos; }

bool has_space_between_tokens(std::string_view text) {
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (in_string && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      in_string = !in_string;
    } else if (!in_string && std::string_view(" \t\r\n").find(text[at]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// Answers calls with -32603 when `applies` to their params.
Behaviour internal_error_for(bool (*applies)(const std::string& params)) {
  return on_element([applies](const ElementText& element, const ProperReply& proper) -> Reply {
    const std::string* params = element.object ? element.object->find("params") : nullptr;
    if (params == nullptr || !element.has("id") || !applies(*params)) return proper(element.text);
    return error_text(-32603, "Internal error", *element.object->find("id"));
  });
}

/// The bytes of a message that are not JSON, as they came.
Reply quoting_message(std::string_view message, Reply reply) {
  if (is_json(message) || !reply) return reply;
  std::string excerpt(message.substr(0, 60));
  std::erase_if(excerpt, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || c == '"' || c == '\\';
  });
  return R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error near )" + excerpt +
         R"("},"id":null})";
}

/// A backslash and what follows it stay as they are.
std::string without_unescaping(std::string_view message) {
  std::string out;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const bool is_unicode_escape =
        message.substr(at, 2) == "\\u" && (at == 0 || message[at - 1] != '\\');
    out += message[at];
    if (is_unicode_escape) out += '\\';
  }
  return out;
}

constexpr Deviation kParseFaults[] = {
    {"parse-error-unanswered", "err-code-parse,(json-utf8),(res-always),(rob-depth)", kEverywhere,
     "What is not JSON is not answered.",
     [] { return answering_malformed([](const std::string&) { return std::nullopt; }); }},
    {"parse-error-invalid-request", "err-code-parse,(json-extensions)", kEverywhere,
     "What is not JSON is answered -32600.", [] { return parse_error_code("-32600"); }},
    {"parse-error-internal-error", "err-code-parse", kEverywhere,
     "What is not JSON is answered -32603.", [] { return parse_error_code("-32603"); }},
    {"parse-error-plain-text", "res-json", kMarked, "What is not JSON is answered by plain text.",
     [] {
       return answering_malformed([](const std::string&) { return "[-32700] invalid request"; });
     }},
    {"parse-error-empty-result", "err-code-parse,(rob-depth),(rob-survives),(sec-no-leak)",
     kEverywhere, "What is not JSON is answered by a result of null.",
     [] {
       return answering_malformed(
           [](const std::string&) { return R"({"jsonrpc":"2.0","result":null,"id":null})"; });
     }},
    {"parse-error-in-array", "res-object,(bat-parse-error),(rob-depth),(rob-pipelined)",
     kEverywhere, "What is not JSON is answered by an Array of one error.",
     [] {
       return answering_malformed([](const std::string& reply) { return "[" + reply + "]"; });
     }},
    {"parse-error-quotes-bytes", "res-json", kEverywhere,
     "The reply to what is not JSON holds its bytes, UTF-8 or not.",
     [] { return on_message_and_reply(quoting_message); }},
    {"white-space-refused",
     "json-whitespace,(bat-one),(err-code-method),(ntf-silent),(req-method-string)", kEverywhere,
     "White space between tokens is answered -32700.",
     [] { return parse_error_for(has_space_between_tokens); }},
    {"leading-white-space-refused", "json-whitespace", kEverywhere,
     "A message that begins with white space is answered -32700.",
     [] {
       return parse_error_for(
           [](std::string_view message) { return message.find_first_not_of(" \t\r\n") != 0; });
     }},
    {"escapes-refused", "json-escapes,(id-echo),(id-string-exact)", kEverywhere,
     "Escapes of the kind \\u006d are answered -32700.",
     [] { return parse_error_for(has_escape); }},
    {"escapes-not-decoded",
     "json-escapes,(id-null-undetectable),(id-string-exact),(json-invalid),(par-named)",
     kEverywhere, "Escapes of the kind \\u006d are taken for the characters they are written in.",
     [] { return on_message(without_unescaping); }},
    {"exponents-refused", "json-numbers", kEverywhere,
     "Numbers with an exponent are answered -32603.",
     [] {
       return internal_error_for([](const std::string& params) {
         const bool only_numbers = params.find_first_of("\"flnrsu") == params.npos;
         return only_numbers && params.find_first_of("eE") != params.npos;
       });
     }},
    {"long-numbers-internal-error", "json-numbers", kEverywhere,
     "A Number of forty digits is answered -32603.",
     [] {
       return internal_error_for([](const std::string& params) {
         return params.find("1234567890123456789012345678901234567890") != params.npos;
       });
     }},
    {"byte-order-mark-fatal", "rob-survives", kEverywhere,
     "A byte order mark before a message ends the process.",
     [] {
       return on_message([](std::string_view message) {
         if (message.starts_with(kByteOrderMarkBefore))
           throw Catastrophe{Catastrophe::Manner::exit};
         return std::string(message);
       });
     }},
};

}  // namespace

std::span<const Deviation> parse_faults() { return kParseFaults; }

}  // namespace jrpcheck::reference
