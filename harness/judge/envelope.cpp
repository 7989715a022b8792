#include "judge/envelope.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "judge/code.hpp"
#include "judge/envelope_1_0.hpp"
#include "judge/leak.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

constexpr std::array<std::string_view, 4> kMembers = {"jsonrpc", "result", "error", "id"};

// JSON-RPC 2.0 §5.1 asks for one concise sentence; longer than this is not.
constexpr std::ptrdiff_t kConciseCharacters = 200;

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

// The spelling under which a member is there, when only its case is wrong.
const std::string* misspelt(const json::Value& response, std::string_view name) {
  if (response.find(name) != nullptr) return nullptr;
  const auto& names = response.names();
  const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& each) {
    return equals_ignoring_case(each, name);
  });
  return found == names.end() ? nullptr : &*found;
}

void judge_member_names(const json::Value& response, Charger& charger) {
  charger.exercise("res-member-names");
  for (const auto name : kMembers) {
    if (const std::string* wrong = misspelt(response, name)) {
      charger.charge("res-member-names", "A member of the Response is spelled in the wrong case.",
                     "\"" + std::string(name) + "\"", "\"" + *wrong + "\"");
    }
  }
}

void judge_unique_members(const json::Value& response, Charger& charger) {
  charger.exercise("res-duplicate-members");
  charger.exercise("res-extra-members");
  for (const auto name : kMembers) {
    if (response.count(name) < 2) continue;
    charger.charge("res-duplicate-members", "A member is there more than once in the Response.",
                   "one \"" + std::string(name) + "\"", shown(response));
  }
  for (const auto& name : response.names()) {
    const bool known = std::any_of(kMembers.begin(), kMembers.end(), [&](std::string_view each) {
      return equals_ignoring_case(each, name);
    });
    if (!known) charger.judgement().observations.push_back({"extra member in Responses", name});
  }
}

void judge_version(const json::Value& response, Charger& charger) {
  if (misspelt(response, "jsonrpc") != nullptr) return;
  charger.exercise("res-version");
  const json::Value* version = response.find("jsonrpc");
  if (version == nullptr) {
    charger.charge("res-version", "The Response has no jsonrpc member.", R"("jsonrpc":"2.0")",
                   shown(response));
  } else if (!version->is(Kind::string) || version->text() != "2.0") {
    charger.charge("res-version", "The Response's jsonrpc is not the String \"2.0\".", R"("2.0")",
                   shown(*version));
  }
}

void judge_id(const json::Value& response, Charger& charger) {
  if (misspelt(response, "id") != nullptr) return;
  charger.exercise("res-id-present");
  if (response.find("id") != nullptr) return;
  charger.charge("res-id-present", "The Response has no id member.", "\"id\"", shown(response));
}

void judge_exclusive(const json::Value& response, bool result_expected, Charger& charger) {
  if (misspelt(response, "result") != nullptr || misspelt(response, "error") != nullptr) return;
  charger.exercise("res-exclusive");
  const bool has_result = response.find("result") != nullptr;
  const bool has_error = response.find("error") != nullptr;
  if (has_result && has_error) {
    charger.charge("res-exclusive", "The Response has both result and error.", "one of the two",
                   shown(response));
  } else if (!has_result && !has_error) {
    charger.charge(result_expected ? "res-result-on-success" : "res-exclusive",
                   "The Response has neither result nor error.",
                   result_expected ? "\"result\"" : "one of the two", shown(response));
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
  const std::string expected = "an integer Number";
  if (code == nullptr) {
    charger.charge("err-code-integer", "The error has no code member.", expected, shown(error));
    return;
  }
  const auto value = code_of(error);
  if (!value) {
    charger.charge("err-code-integer", "The error's code is not an integer Number.", expected,
                   shown(*code));
    return;
  }
  if (code->text().find_first_of(".eE") != std::string::npos) {
    charger.charge_as(corpus::Verdict::warn, "err-code-integer",
                      "The error's code is an integer spelled with a fraction or an exponent.",
                      expected, shown(*code));
  }
  charger.exercise("err-code-reserved");
  if (is_reserved_and_undefined(*value)) {
    charger.charge("err-code-reserved",
                   "The error's code lies in the reserved range and the specification does not "
                   "define it.",
                   "a defined code, -32000 to -32099, or one outside -32768 to -32000",
                   shown(*code));
  }
}

void judge_message(const json::Value& error, Charger& charger) {
  charger.exercise("err-message-string");
  const json::Value* message = error.find("message");
  if (message == nullptr || !message->is(Kind::string)) {
    charger.charge("err-message-string",
                   message == nullptr ? "The error has no message member."
                                      : "The error's message is not a String.",
                   "a String", message == nullptr ? shown(error) : shown(*message));
    return;
  }
  // A server that quotes a huge method name is not long-winded by itself.
  if (charger.message_is_huge()) return;
  charger.exercise("err-message-concise");
  const std::string& text = message->text();
  const auto characters = std::count_if(text.begin(), text.end(), [](unsigned char byte) {
    return (byte & 0xC0) != 0x80;  // UTF-8 continuation bytes begin no character
  });
  if (text.find('\n') != std::string::npos || characters > kConciseCharacters) {
    charger.charge("err-message-concise", "The error's message is not one concise sentence.",
                   "one line of at most 200 characters", shown(*message));
  }
}

void judge_leak(const json::Value& error, Charger& charger) {
  charger.exercise("sec-no-leak");
  const std::string leak = find_leak(error);
  if (leak.empty()) return;
  charger.charge("sec-no-leak", "The error tells where in the program it came from.",
                 "neither stack traces nor places in source code nor addresses", to_visible(leak));
}

void judge_error(const json::Value& response, Charger& charger) {
  const json::Value* error = response.find("error");
  if (error == nullptr) return;
  // error: null beside a result is charged as both being there, which is what is wrong with it.
  if (error->is(Kind::null) && response.find("result") != nullptr) return;
  charger.exercise("err-object");
  if (!error->is(Kind::object)) {
    charger.charge("err-object", "error is not an Object.", "an Object", shown(*error));
    return;
  }
  judge_code(*error, charger);
  judge_message(*error, charger);
  judge_leak(*error, charger);
}

}  // namespace

std::string shown(const json::Value& value) { return to_visible(json::write(value)); }

corpus::Verdict Judgement::worst() const {
  auto worst = corpus::Verdict::pass;
  for (const auto& finding : findings) worst = std::max(worst, finding.severity);
  return worst;
}

std::string_view Charger::in_dialect(std::string_view requirement) const {
  return judges_1_0() ? requirement_in_1_0(requirement) : requirement;
}

void Charger::charge(std::string_view requirement, std::string message, std::string expected,
                     std::string actual) {
  requirement = in_dialect(requirement);
  const auto* known = ledger_.find(requirement);
  const auto level = known != nullptr ? known->level : corpus::Level::must;
  if (level == corpus::Level::info) {
    exercise(requirement);
    judgement_.observations.push_back({std::string(requirement), message + " " + actual});
    return;
  }
  charge_as(level == corpus::Level::must ? corpus::Verdict::fail : corpus::Verdict::warn,
            requirement, std::move(message), std::move(expected), std::move(actual));
}

void Charger::charge_as(corpus::Verdict severity, std::string_view requirement, std::string message,
                        std::string expected, std::string actual) {
  requirement = in_dialect(requirement);
  exercise(requirement);
  judgement_.findings.push_back({std::string(requirement), severity, std::move(message),
                                 std::move(expected), std::move(actual), step_});
}

void Charger::add_habits(std::vector<std::string> habits, bool rest_counts) {
  if (judgement_.findings.empty()) return;  // what is only observed is no finding
  judgement_.findings.back().habits = std::move(habits);
  judgement_.findings.back().rest_counts = rest_counts;
}

void Charger::drop(std::string_view requirement) {
  auto& findings = judgement_.findings;
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [&](const Finding& each) {
                                  return each.requirement == requirement && each.step == step_;
                                }),
                 findings.end());
}

void judge_text(const dialogue::Message& reply, Charger& charger) {
  charger.exercise("res-json");
  if (reply.value() != nullptr) return;
  const bool bad_utf8 = find_invalid_utf8(reply.text()).has_value();
  charger.charge("res-json",
                 bad_utf8 ? "The reply is not valid UTF-8."
                          : "The reply is not JSON: " + reply.error().message + " at byte " +
                                std::to_string(reply.error().offset) + ".",
                 "one JSON text in UTF-8", to_visible(reply.text()));
}

void judge_response(const json::Value& response, bool result_expected, Charger& charger) {
  if (charger.judges_1_0()) return judge_response_1_0(response, charger);
  judge_member_names(response, charger);
  judge_unique_members(response, charger);
  judge_version(response, charger);
  judge_id(response, charger);
  judge_exclusive(response, result_expected, charger);
  judge_error(response, charger);
}

}  // namespace jrpcheck::judge
