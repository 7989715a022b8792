// Faults in what the client makes of result and error.

#include <cstdint>

#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"

namespace jrpcheck::reference {

namespace {

bool is_reply(const ClientJson& object) {
  return !object.contains("method") && object.contains("id");
}

void succeed_with_nothing(ClientJson& object) {
  object.erase("error");
  object["result"] = nullptr;
}

void break_it(ClientJson& object) { object.erase("result"); }

bool is_falsy(const ClientJson& value) {
  const bool is_empty_text = value.is_string() && value.get_ref<const std::string&>().empty();
  return value == false || value == 0 || is_empty_text || (value.is_structured() && value.empty());
}

void prefer_result(ClientJson& object, const Waiting&) {
  if (object.contains("result")) object.erase("error");
}

void take_neither(ClientJson& object, const Waiting&) {
  if (is_reply(object) && !object.contains("error") && !object.contains("result")) {
    object["result"] = nullptr;
  }
}

void see_null_result_first(ClientJson& object, const Waiting&) {
  if (object.contains("error") && object.contains("result") && object["result"].is_null()) {
    object.erase("error");
  }
}

void lose_result_beside_null(ClientJson& object, const Waiting&) {
  if (object.contains("error") && object["error"].is_null() && object.contains("result")) {
    succeed_with_nothing(object);
  }
}

void ignore_errors(ClientJson& object, const Waiting&) {
  if (is_reply(object) && object.contains("error") && !object.contains("result")) {
    succeed_with_nothing(object);
  }
}

void see_true_errors(ClientJson& object, const Waiting&) {
  if (object.contains("error") && !object.contains("result") &&
      (object["error"].is_null() || is_falsy(object["error"]))) {
    succeed_with_nothing(object);
  }
}

void see_true_errors_beside_results(ClientJson& object, const Waiting&) {
  if (object.contains("error") && object.contains("result") && is_falsy(object["error"])) {
    object.erase("error");
  }
}

void see_errors_with_codes(ClientJson& object, const Waiting&) {
  const auto error = object.find("error");
  if (error == object.end() || object.contains("result")) return;
  const bool has_code = error->is_object() && error->value("code", ClientJson()).is_number();
  if (!has_code) succeed_with_nothing(object);
}

void take_code_zero_for_success(ClientJson& object, const Waiting&) {
  const auto error = object.find("error");
  if (error == object.end() || !error->is_object() || object.contains("result")) return;
  if (error->value("code", ClientJson()) == 0) succeed_with_nothing(object);
}

void lose_null(ClientJson& object, const Waiting&) {
  if (object.contains("result") && object["result"].is_null()) break_it(object);
}

void lose_falsy(ClientJson& object, const Waiting&) {
  if (object.contains("result") && is_falsy(object["result"])) object["result"] = nullptr;
}

void refuse_falsy(ClientJson& object, const Waiting&) {
  if (object.contains("result") && is_falsy(object["result"])) break_it(object);
}

void cut_texts(ClientJson& object, const Waiting&) {
  const auto result = object.find("result");
  if (result == object.end() || !result->is_string()) return;
  const auto text = result->get<std::string>();
  *result = text.substr(0, text.find('\0'));
}

void keep_32_bits(ClientJson& object, const Waiting&) {
  const auto result = object.find("result");
  if (result == object.end() || !result->is_number_integer()) return;
  *result = static_cast<std::int32_t>(result->get<std::int64_t>());
}

void refuse_extra(ClientJson& object, const Waiting&) {
  for (const auto& [name, value] : object.items()) {
    if (name != "jsonrpc" && name != "result" && name != "error" && name != "id" &&
        name != "method" && name != "params") {
      return break_it(object);
    }
  }
}

// Names are looked for in the text and not in what it says.
std::string read_names_as_spelled(std::string text, const Waiting&) {
  return text.find("\\u0069d") == text.npos ? text : "{}";
}

std::string expect_order(std::string text, const Waiting&) {
  return text.starts_with(R"({"id":)") && text.find("trace") == text.npos ? "{}" : text;
}

std::string refuse_spaces(std::string text, const Waiting&) {
  return text.starts_with(' ') ? "broken" : text;
}

// The first value of a text counts, and what stands behind it is passed over.
std::string take_first_value(std::string text, const Waiting&) {
  const auto end = text.find("} {");
  return end == text.npos ? text : text.substr(0, end + 1);
}

std::string take_broken_json(std::string text, const Waiting& waiting) {
  return ClientJson::accept(text) || text.size() > 1000 ? text : success_for(waiting, nullptr);
}

std::string replace_bad_bytes(std::string text, const Waiting&) {
  for (auto& each : text) {
    if (static_cast<unsigned char>(each) >= 0xF8) each = '?';
  }
  return text;
}

std::string read_as_latin_1(std::string text, const Waiting&) {
  std::string read;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte >= 0x80) read += static_cast<char>(0xC0U | (byte >> 6U));
    read += byte < 0x80 ? each : static_cast<char>(0x80U | (byte & 0x3FU));
  }
  return read;
}

std::string forget_depth(std::string text, const Waiting& waiting) {
  return text.find("[[[[[[[[") == text.npos ? text : success_for(waiting, nullptr);
}

std::string drop_large(std::string text, const Waiting&) {
  return text.size() > 100'000 ? "" : text;
}

constexpr std::string_view kNoBody = "(no body)";

ChangeHooks take_status(std::function<bool(int status)> is_success) {
  return [is_success = std::move(is_success)](ClientHooks& hooks) {
    hooks.body = [is_success](const wire::HttpMessage& response) {
      const bool is_taken = response.body.empty() && is_success(response.status);
      return is_taken ? std::string(kNoBody) : response.body;
    };
    on_text([](std::string text, const Waiting& waiting) {
      return text == kNoBody ? success_for(waiting, nullptr) : text;
    })(hooks);
  };
}

const ClientMutant kFaultsOfResults[] = {
    {"prefers-result", breaks("cl-rejects-both").perhaps("cl-null-counterpart"), kOverAll,
     "A result beside an error is taken.", on_object(prefer_result)},
    {"takes-neither", breaks("cl-rejects-both").perhaps("cl-not-an-object"), kOverAll,
     "A Response with neither result nor error is success.", on_object(take_neither)},
    {"sees-null-result-first", breaks("cl-null-counterpart"), kOverAll,
     "A result of null beside an error is success.", on_object(see_null_result_first)},
    {"loses-result-beside-null", breaks("cl-null-counterpart"), kOverAll,
     "A result beside an error of null is lost.", on_object(lose_result_beside_null)},
    {"expects-order", breaks("cl-good"), kOverAll,
     "A Response that begins with its id is not known.", on_text(expect_order)},
    {"ignores-errors", breaks("cl-error-reported", "cl-error-malformed").perhaps("cl-bat-object"),
     kOverAll, "An error is success without a result.", on_object(ignore_errors)},
    {"sees-true-errors", breaks("cl-error-malformed"), kOverAll,
     "An error that is empty, 0, false or null is none.", on_object(see_true_errors)},
    {"sees-true-errors-beside-results", breaks("cl-rejects-both"), kOverAll,
     "A result is taken beside an error that is empty, 0 or false.",
     on_object(see_true_errors_beside_results)},
    {"sees-errors-with-codes", breaks("cl-error-malformed"), kOverAll,
     "An error without a code that is a Number is none.", on_object(see_errors_with_codes)},
    {"takes-code-zero-for-success", breaks("cl-error-reported"), kOverAll,
     "An error with code 0 is success without a result.", on_object(take_code_zero_for_success)},
    {"refuses-null-result", breaks("cl-result-null"), kOverAll, "A result of null is an error.",
     on_object(lose_null)},
    {"turns-false-to-null", breaks("cl-result-exact"), kOverAll,
     "A result that is empty, 0 or false is null.", on_object(lose_falsy)},
    {"refuses-false", breaks("cl-good"), kOverAll,
     "A result that is empty, 0 or false is an error.", on_object(refuse_falsy)},
    {"cuts-texts-at-zero", breaks("cl-result-exact"), kOverAll,
     "A text ends before its first U+0000.", on_object(cut_texts)},
    {"keeps-32-bits-of-integers", breaks("cl-result-exact"), kOverAll,
     "An integer loses all but its last 32 bits.", on_object(keep_32_bits)},
    {"refuses-extra-members", breaks("cl-extra-members"), kOverAll,
     "A Response with a member that it does not know is broken.", on_object(refuse_extra)},
    {"reads-names-as-spelled", breaks("cl-good"), kOverAll,
     "Names that are written as escapes are not known.", on_text(read_names_as_spelled)},
    {"refuses-spaces", breaks("cl-good"), kOverAll, "A message that begins with a space is broken.",
     on_text(refuse_spaces)},
    {"drops-large-messages", breaks("cl-good"), kOverAll, "A message of 100 kB is passed over.",
     on_text(drop_large)},
    {"takes-first-value", breaks("cl-bad-json"), kOverHttp | kOverWs,
     "What stands behind the first value of a message is passed over.", on_text(take_first_value)},
    {"takes-broken-json",
     breaks("cl-bad-json")
         .perhaps("cl-bad-utf8", "cl-not-an-object", "cl-truncated", "cl-special-ids"),
     kOverAll, "What is not JSON is success without a result.", on_text(take_broken_json)},
    {"replaces-bad-utf8", breaks("cl-bad-utf8"), kOverHttp | kOverTcp | kOverStdio,
     "Bytes that are not UTF-8 become question marks.", on_text(replace_bad_bytes)},
    {"reads-as-latin-1", breaks("cl-result-exact").perhaps("cl-bad-utf8"), kOverAll,
     "Each byte of a message is a character.", on_text(read_as_latin_1)},
    {"decodes-each-read", breaks("cl-result-exact").perhaps("cl-bad-utf8"),
     kOverHttp | kOverTcp | kOverStdio, "Characters that come in two reads become question marks.",
     [](ClientHooks& hooks) { hooks.decodes_each_read = true; }},
    {"forgets-deep-results", breaks("cl-deep"), kOverAll, "A deep result is null.",
     on_text(forget_depth)},
    {"takes-no-content", breaks("cl-not-an-object"), kOverHttp,
     "A status of success without a body is success without a result.",
     take_status([](int status) { return status < 300; })},
    {"reads-chunks-as-text", breaks("cl-good"), kOverHttp,
     "A body in chunks is taken as it was written.",
     [](ClientHooks& hooks) {
       hooks.body = [](const wire::HttpMessage& response) {
         const bool is_in_chunks = response.field("Transfer-Encoding").has_value();
         return is_in_chunks ? wire::http_chunked(response.body, response.body.size())
                             : response.body;
       };
     }},
    {"takes-empty-errors", breaks("cl-not-an-object"), kOverHttp,
     "A status of failure without a body is success without a result.",
     take_status([](int status) { return status >= 400; })},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_results() { return kFaultsOfResults; }

}  // namespace jrpcheck::reference
