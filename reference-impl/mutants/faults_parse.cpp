// Defects in what is said about text that is not JSON, or only looks as if it were none
// (JSON-RPC 2.0 §5.1, RFC 8259).
#include <algorithm>
#include <string>

#include "base/utf8.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

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
  return error_object(-32700, set("code", std::move(code)));
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
  const auto has_such_params = [applies](const ElementText& element) {
    return element.params() != nullptr && element.has("id") && applies(*element.params());
  };
  return answer(has_such_params, refused(-32603));
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

/// A call with bytes in that member that are not UTF-8 is answered with them.
Behaviour echoing_foreign_bytes(std::string_view member) {
  return {.reply = [member](std::string_view message, const ProperReply& proper) -> Reply {
    if (is_json(message) || !find_invalid_utf8(message) || !stripped(message).ends_with('}')) {
      return proper(message);
    }
    const auto object = object_of(message);
    const std::string* value = object ? object->find(member) : nullptr;
    if (value == nullptr || !find_invalid_utf8(*value)) return proper(message);
    const std::string* id = object->find("id");
    return R"({"jsonrpc":"2.0","error":{"code":-32601,"message":)" +
           (member == "method" ? *value : R"("Method not found")") + R"(},"id":)" +
           (id != nullptr ? *id : "null") + "}";
  }};
}

/// What is not JSON, and too long for whatever was to say so.
Behaviour silent_to_long_malformed() {
  constexpr std::size_t kLong = 1000;
  return {.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
    if (message.size() > kLong && !is_json(message)) return std::nullopt;
    return proper(message);
  }};
}

}  // namespace

std::span<const Mutant> parse_faults() {
  static const Mutant all[] = {
      {"parse-error-unanswered",
       breaks("err-code-parse")
           .perhaps("json-utf8", "res-always", "rob-depth", "ws-parse-error", "ws-one-message"),
       kEverywhereAndWs, "What is not JSON is not answered.",
       answering_malformed([](const std::string&) { return std::nullopt; })},
      {"parse-error-of-long-text-unanswered",
       breaks("err-code-parse").perhaps("json-utf8", "res-always", "rob-depth", "rob-size"), kHttp,
       "What is not JSON and longer than 1,000 bytes is not answered.", silent_to_long_malformed},
      {"parse-error-invalid-request", breaks("err-code-parse"), kEverywhere,
       "What is not JSON is answered -32600.", parse_error_code("-32600")},
      {"parse-error-internal-error", breaks("err-code-parse"), kEverywhere,
       "What is not JSON is answered -32603.", parse_error_code("-32603")},
      {"parse-error-plain-text", breaks("res-json"), kMarked,
       "What is not JSON is answered by plain text.",
       answering_malformed([](const std::string&) { return "[-32700] invalid request"; })},
      {"parse-error-empty-result",
       breaks("err-code-parse").perhaps("rob-depth", "rob-survives", "sec-no-leak"), kEverywhere,
       "What is not JSON is answered by a result of null.",
       answering_malformed(
           [](const std::string&) { return R"({"jsonrpc":"2.0","result":null,"id":null})"; })},
      {"parse-error-in-array",
       breaks("res-object").perhaps("bat-parse-error", "rob-depth", "rob-pipelined"), kEverywhere,
       "What is not JSON is answered by an Array of one error.",
       answering_malformed([](const std::string& reply) { return "[" + reply + "]"; })},
      {"parse-error-quotes-bytes", breaks("res-json"), kEverywhere,
       "The reply to what is not JSON holds its bytes, UTF-8 or not.",
       on_message_and_reply(quoting_message)},
      {"white-space-refused",
       breaks("json-whitespace")
           .perhaps("bat-one", "err-code-method", "ntf-silent", "req-method-string"),
       kEverywhere, "White space between tokens is answered -32700.",
       parse_error_for(has_space_between_tokens)},
      {"leading-white-space-refused", breaks("json-whitespace"), kEverywhere,
       "A message that begins with white space is answered -32700.",
       parse_error_for(
           [](std::string_view message) { return message.find_first_not_of(" \t\r\n") != 0; })},
      {"escapes-refused", breaks("json-escapes").perhaps("id-echo", "id-string-exact"), kEverywhere,
       "Escapes of the kind \\u006d are answered -32700.", parse_error_for(has_escape)},
      {"escapes-not-decoded",
       breaks("json-escapes")
           .perhaps("id-null-undetectable", "id-string-exact", "json-extensions", "json-invalid",
                    "par-named"),
       kEverywhere, "Escapes of the kind \\u006d are taken for the characters they are written in.",
       on_message(without_unescaping)},
      {"exponents-refused", breaks("json-numbers"), kEverywhere,
       "Numbers with an exponent are answered -32603.",
       internal_error_for([](const std::string& params) {
         const bool only_numbers = params.find_first_of("\"flnrsu") == params.npos;
         return only_numbers && params.find_first_of("eE") != params.npos;
       })},
      {"long-numbers-internal-error", breaks("json-numbers"), kEverywhere,
       "A Number of forty digits is answered -32603.",
       internal_error_for([](const std::string& params) {
         return params.find("1234567890123456789012345678901234567890") != params.npos;
       })},
      {"byte-order-mark-fatal", breaks("rob-survives"), kEverywhere,
       "A byte order mark before a message ends the process.",
       on_message([](std::string_view message) {
         if (message.starts_with(kByteOrderMarkBefore))
           throw Catastrophe{Catastrophe::Manner::exit};
         return std::string(message);
       })},
      {"foreign-bytes-echoed-in-message", breaks("res-json").perhaps("json-utf8"), kEverywhere,
       "The error of an unknown method quotes its name, with bytes that are not UTF-8.",
       echoing_foreign_bytes("method")},
      {"foreign-bytes-echoed-in-id", breaks("res-json").perhaps("json-utf8"), kEverywhere,
       "An id comes back with the bytes in it that are not UTF-8.", echoing_foreign_bytes("id")},
  };
  return all;
}

}  // namespace jrpcheck::reference
