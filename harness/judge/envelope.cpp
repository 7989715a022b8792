#include "judge/envelope.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
#include "base/utf8.hpp"
#include "judge/code.hpp"
#include "judge/envelope_1_0.hpp"
#include "judge/leak.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

constexpr EnvelopeRequirement kRequirements[] = {
    {"res-json"},
    {"res-object"},
    {"res-version"},
    {"res-id-present"},
    {"res-exclusive"},
    {"res-member-names"},
    {"res-result-on-success", true},
    {"res-duplicate-members"},
    {"res-extra-members"},
    {"err-object"},
    {"err-code-integer"},
    {"err-code-reserved"},
    {"err-message-string"},
    {"err-message-concise"},
    {"sec-no-leak"},
    {"v1-both-members", true},
    {"http-response-head"},
    {"http-response-type"},
    {"http-error-status-of-result"},
    {"http-notification-5xx"},
    {"ws-text"},
    {"ws-server-frames"},
    {"ws-server-unmasked"},
};

constexpr std::array<std::string_view, 4> kMembers = {"jsonrpc", "result", "error", "id"};

// JSON-RPC 2.0 §5.1 asks for one concise sentence; longer than this is not.
constexpr std::size_t kConciseCharacters = 200;

// The spelling under which a member is there, when only its case is wrong.
const std::string* misspelt(const json::Value& response, std::string_view name) {
  if (response.find(name) != nullptr) return nullptr;
  const auto& names = response.names();
  const auto found = std::ranges::find_if(
      names, [&](const std::string& each) { return same_ignoring_case(each, name); });
  return found == names.end() ? nullptr : &*found;
}

void judge_member_names(const json::Value& response, Charger& charger) {
  charger.exercise("res-member-names");
  for (const auto name : kMembers) {
    if (const std::string* wrong = misspelt(response, name)) {
      charger.charge("res-member-names", {Symptom::member_misspelt, "\"" + std::string(name) + "\"",
                                          "\"" + *wrong + "\"", "/" + std::string(name)});
    }
  }
}

void judge_unique_members(const json::Value& response, Charger& charger) {
  charger.exercise("res-duplicate-members");
  charger.exercise("res-extra-members");
  for (const auto name : kMembers) {
    if (response.count(name) < 2) continue;
    charger.charge("res-duplicate-members",
                   {Symptom::member_repeated, "one \"" + std::string(name) + "\"", shown(response),
                    "/" + std::string(name)});
  }
  for (const auto& name : response.names()) {
    const bool known = std::ranges::any_of(
        kMembers, [&](std::string_view each) { return same_ignoring_case(each, name); });
    if (!known) charger.judgement().observe(kExtraMember, name);
  }
}

void judge_version(const json::Value& response, Charger& charger) {
  if (misspelt(response, "jsonrpc") != nullptr) return;
  charger.exercise("res-version");
  const json::Value* version = response.find("jsonrpc");
  if (version == nullptr) {
    charger.charge("res-version",
                   {Symptom::version_missing, R"("jsonrpc":"2.0")", shown(response), "/jsonrpc"});
  } else if (!version->is(Kind::string) || version->text() != "2.0") {
    charger.charge("res-version",
                   {Symptom::version_wrong, R"("2.0")", shown(*version), "/jsonrpc"});
  }
}

void judge_id(const json::Value& response, Charger& charger) {
  if (misspelt(response, "id") != nullptr) return;
  charger.exercise("res-id-present");
  if (response.find("id") != nullptr) return;
  charger.charge("res-id-present", {Symptom::id_missing, "\"id\"", shown(response), "/id"});
}

// An error of null says that there was none (JSON-RPC 2.0 §5): then there must be a result. Where
// no version is named that is said of 1.0, whose Responses always have both.
bool has_null_error_alone(const json::Value& response) {
  const json::Value* error = response.find("error");
  return error != nullptr && error->is(Kind::null) && response.find("result") == nullptr &&
         response.find("jsonrpc") != nullptr;
}

void judge_exclusive(const json::Value& response, bool result_expected, Charger& charger) {
  if (misspelt(response, "result") != nullptr || misspelt(response, "error") != nullptr) return;
  charger.exercise("res-exclusive");
  const bool has_result = response.find("result") != nullptr;
  const bool has_error = response.find("error") != nullptr;
  if (has_null_error_alone(response)) {
    charger.exercise("res-result-on-success");
    charger.charge("res-result-on-success", {Symptom::null_error_alone, "\"result\", and no error",
                                             shown(response), "/result"});
  } else if (has_result && has_error) {
    charger.charge("res-exclusive", {Symptom::result_and_error, "one of the two", shown(response)});
  } else if (!has_result && !has_error) {
    charger.charge(result_expected ? "res-result-on-success" : "res-exclusive",
                   {Symptom::no_result_and_no_error,
                    result_expected ? "\"result\"" : "one of the two", shown(response)});
  }
  if (has_result) charger.exercise("res-result-on-success");
}

bool is_reserved_and_undefined(long long code) {
  if (code < -32768 || code > -32000) return false;
  if (code >= -32099) return false;
  return code != -32700 && (code < -32603 || code > -32600);
}

void judge_code(const json::Value& error, Charger& charger) {
  charger.exercise("err-code-integer");
  const json::Value* code = error.find("code");
  constexpr const char* kExpected = "an integer Number";
  if (code == nullptr) {
    charger.charge("err-code-integer",
                   {Symptom::code_missing, kExpected, shown(error), "/error/code"});
    return;
  }
  const auto value = code_of(error);
  if (!value) {
    charger.charge("err-code-integer",
                   {Symptom::code_not_integer, kExpected, shown(*code), "/error/code"});
    return;
  }
  if (code->text().find_first_of(".eE") != std::string::npos) {
    charger.charge_as(corpus::Verdict::warn, "err-code-integer",
                      {Symptom::code_spelled_as_fraction, kExpected, shown(*code), "/error/code"});
  }
  charger.exercise("err-code-reserved");
  if (is_reserved_and_undefined(*value)) {
    charger.charge("err-code-reserved",
                   {Symptom::code_reserved,
                    "a defined code, -32000 to -32099, or one outside -32768 to -32000",
                    shown(*code), "/error/code"});
  }
}

void judge_message(const json::Value& error, Charger& charger) {
  charger.exercise("err-message-string");
  const json::Value* message = error.find("message");
  if (message == nullptr || !message->is(Kind::string)) {
    charger.charge(
        "err-message-string",
        {message == nullptr ? Symptom::message_missing : Symptom::message_not_string, "a String",
         message == nullptr ? shown(error) : shown(*message), "/error/message"});
    return;
  }
  // A server that quotes a huge method name is not long-winded by itself.
  if (charger.message_is_huge()) return;
  charger.exercise("err-message-concise");
  const std::string& text = message->text();
  if (text.find('\n') != std::string::npos || code_points_in(text) > kConciseCharacters) {
    charger.charge("err-message-concise",
                   {Symptom::message_not_concise, "one line of at most 200 characters",
                    shown(*message), "/error/message"});
  }
}

void judge_leak(const json::Value& error, Charger& charger) {
  charger.exercise("sec-no-leak");
  const std::string leak = find_leak(error);
  if (leak.empty()) return;
  charger.charge("sec-no-leak",
                 {Symptom::leak, "neither stack traces nor places in source code nor addresses",
                  to_visible(leak), "/error"});
}

void judge_error(const json::Value& response, Charger& charger) {
  const json::Value* error = response.find("error");
  if (error == nullptr) return;
  // error: null beside a result is charged as both being there, which is what is wrong with it; and
  // alone as a result that is missing.
  const bool is_misspelt = misspelt(response, "result") != nullptr;
  if (error->is(Kind::null) && !is_misspelt) return;
  charger.exercise("err-object");
  if (!error->is(Kind::object)) {
    charger.charge("err-object", {Symptom::error_not_object, "an Object", shown(*error), "/error"});
    return;
  }
  judge_code(*error, charger);
  judge_message(*error, charger);
  judge_leak(*error, charger);
}

}  // namespace

std::string shown(const json::Value& value) { return to_visible(json::write(value)); }

void judge_text(const dialogue::Message& reply, Charger& charger, std::string_view coding) {
  charger.exercise("res-json");
  if (reply.value() != nullptr) return;
  Fault fault{Symptom::reply_not_json, "one JSON text in UTF-8", to_visible(reply.text())};
  if (!coding.empty()) {
    fault.particulars = "its Content-Encoding is " + to_visible(coding);
  } else if (find_invalid_utf8(reply.text())) {
    fault.symptom = Symptom::reply_not_utf8;
  } else {
    fault.particulars = reply.error().message + " at byte " + std::to_string(reply.error().offset);
  }
  charger.charge("res-json", std::move(fault));
}

void judge_response(const json::Value& response, bool result_expected, Charger& charger,
                    bool may_lack_id) {
  if (charger.judges_1_0()) return judge_response_1_0(response, charger);
  judge_member_names(response, charger);
  judge_unique_members(response, charger);
  judge_version(response, charger);
  if (!may_lack_id) judge_id(response, charger);
  judge_exclusive(response, result_expected, charger);
  judge_error(response, charger);
}

std::span<const EnvelopeRequirement> envelope_requirements() { return kRequirements; }

bool is_envelope_requirement(std::string_view requirement) {
  return std::ranges::any_of(kRequirements,
                             [&](const auto& each) { return each.id == requirement; });
}

}  // namespace jrpcheck::judge
