// The rules of Bitcoin Core that no schema can say: what depends on the dialect of the call, and
// statuses.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "base/join.hpp"
#include "base/letter_case.hpp"
#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "judge/rules/http_turns.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr long long kUnreadable = -32700;
constexpr long long kNoRequest = -32600;
constexpr long long kNoSuchMethod = -32601;

/// The version belongs to the call: without it, with null or "1.0" the old dialect is spoken. The
/// third is what is refused, or reads otherwise to others: a name that stands twice.
enum class Spelt { old, anew, unclear };

Spelt spelt(const RuleCall& call, const Value& asked) {
  const bool is_twice =
      asked.count("jsonrpc") > 1 || asked.count("method") > 1 || asked.count("id") > 1;
  if (!asked.is(Kind::object) || is_twice) return Spelt::unclear;
  if (call.law.profile.version == "1.1") return Spelt::old;  // before v28 there was no other
  const Value* version = asked.find("jsonrpc");
  if (version == nullptr || version->is(Kind::null)) return Spelt::old;
  if (!version->is(Kind::string)) return Spelt::unclear;
  return version->text() == "2.0"   ? Spelt::anew
         : version->text() == "1.0" ? Spelt::old
                                    : Spelt::unclear;
}

bool has_failed_in_either(const Value& response) {
  const Value* error = response.find("error");
  return error != nullptr && !error->is(Kind::null);
}

/// What was asked by POST and answered: by another method nothing is, whatever the body says.
std::vector<HttpTurn> answered_turns(const RuleCall& call) {
  auto turns = turns_in(call.events);
  std::erase_if(turns, [](const auto& turn) { return !turn.response || turn.method() != "POST"; });
  return turns;
}

/// How often each id stands in the elements of a batch.
std::map<std::string, int> element_ids(const Value& batch) {
  std::map<std::string, int> ids;
  for (const auto& each : batch.children()) {
    if (const Value* id = each.find("id")) ++ids[json::write(*id)];
  }
  return ids;
}

/// A Response, or what has neither result nor error and the id of the call all the same.
bool stands_for_response(const Value& asked, const Value& told) {
  if (dialogue::has_outcome(told)) return true;
  const Value* id = asked.find("id");
  const Value* own = told.is(Kind::object) ? told.find("id") : nullptr;
  return id != nullptr && own != nullptr && json::equal(*own, *id);
}

/// Whether an answer in a batch has the id of no call in it: another may have that of a call which
/// is not its own.
bool has_foreign_id(const Value& asked, const Value& told) {
  const auto asked_ids = element_ids(asked);
  return std::ranges::any_of(element_ids(told), [&](const auto& each) {
    return each.first != "null" && !asked_ids.contains(each.first);
  });
}

/// One call and what answers it, alone or in a batch.
template <typename Judge>
void for_each_answered(const RuleCall& call, Judge judge) {
  for (const auto& turn : answered_turns(call)) {
    const auto sent = turn.sent();
    const Value* asked = sent.value();
    const Value* told = turn.body.value();
    if (asked == nullptr || told == nullptr) continue;
    if (asked->is(Kind::object) && stands_for_response(*asked, *told)) judge(turn, *asked, *told);
    if (!asked->is(Kind::array) || !told->is(Kind::array)) continue;
    if (has_foreign_id(*asked, *told)) continue;
    std::map<std::string, std::vector<const Value*>> by_id;
    for (const auto& each : asked->children()) {
      if (const Value* id = each.find("id")) by_id[json::write(*id)].push_back(&each);
    }
    auto answers = element_ids(*told);
    for (const auto& each : told->children()) {
      const Value* id = each.find("id");
      if (id != nullptr && answers[json::write(*id)] > 1) continue;  // whose it is, nobody knows
      const auto found = id == nullptr ? by_id.end() : by_id.find(json::write(*id));
      if (found != by_id.end() && found->second.size() == 1)
        judge(turn, *found->second.front(), each);
    }
  }
}

/// What cannot be read is answered in the old dialect, for nobody knows in which it was meant.
Spelt due_shape(const RuleCall& call, const Value& asked, const Value& response) {
  return error_code_of(response) == kUnreadable ? Spelt::old : spelt(call, asked);
}

void btc_old_shape(const RuleCall& call) {
  for_each_answered(call, [&](const HttpTurn& turn, const Value& asked, const Value& response) {
    if (due_shape(call, asked, response) != Spelt::old) return;
    call.exercise();
    const Value* result = response.find("result");
    const Value* error = response.find("error");
    const bool has_both =
        result != nullptr && error != nullptr && (result->is(Kind::null) || error->is(Kind::null));
    if (has_both && response.find("jsonrpc") == nullptr) return;
    call.charge_step(turn.step, "A call of the old dialect is answered in another shape.",
                     "result and error, one of them null, and no jsonrpc", json::write(response));
  });
}

void btc_new_shape(const RuleCall& call) {
  for_each_answered(call, [&](const HttpTurn& turn, const Value& asked, const Value& response) {
    if (due_shape(call, asked, response) != Spelt::anew) return;
    call.exercise();
    const bool is_told = json::text_of(response.find("jsonrpc")) == "2.0";
    const bool has_one =
        (response.find("result") == nullptr) != (response.find("error") == nullptr);
    if (is_told && has_one) return;
    call.charge_step(turn.step, "A call of JSON-RPC 2.0 is answered in another shape.",
                     "\"jsonrpc\":\"2.0\" and either result or error", json::write(response));
  });
}

/// What an answer under a status of its own says.
enum class Told {
  success,
  new_error,
  new_refusal,
  old_unknown,
  old_refusal,
  old_error,
  unreadable
};

std::optional<Told> told_by(const RuleCall& call, const Value* asked, const Value& response) {
  if (!has_failed_in_either(response)) return Told::success;
  const auto code = error_code_of(response);
  if (!code) return std::nullopt;
  if (*code == kUnreadable) return Told::unreadable;
  const Spelt dialect = asked == nullptr ? Spelt::unclear : spelt(call, *asked);
  if (dialect == Spelt::anew) return *code == kNoRequest ? Told::new_refusal : Told::new_error;
  if (dialect == Spelt::unclear && *code != kNoRequest) return std::nullopt;
  return *code == kNoSuchMethod ? Told::old_unknown
         : *code == kNoRequest  ? Told::old_refusal
                                : Told::old_error;
}

std::size_t status_due(Told told) {
  switch (told) {
    case Told::success:
    case Told::new_error:
      return 200;
    case Told::new_refusal:
    case Told::old_refusal:
      return 400;
    case Told::old_unknown:
      return 404;
    default:
      return 500;
  }
}

template <Told kAbout>
void btc_status(const RuleCall& call) {
  for (const auto& turn : answered_turns(call)) {
    const Value* response = turn.body.value();
    const auto sent = turn.sent();
    const bool is_batch = sent.value() != nullptr && sent.value()->is(Kind::array);
    if (response == nullptr || !dialogue::has_outcome(*response)) continue;
    if (is_batch && error_code_of(*response) != kUnreadable) continue;
    if (told_by(call, sent.value(), *response) != kAbout) continue;
    call.exercise();
    const std::size_t due = status_due(kAbout);
    if (turn.status() == due) continue;
    call.charge_step(turn.step, "The answer comes under another HTTP status.",
                     "HTTP " + std::to_string(due),
                     "HTTP " + std::to_string(turn.status()) + " with " + json::write(*response));
  }
}

void btc_status_of_batches(const RuleCall& call) {
  for (const auto& turn : answered_turns(call)) {
    const Value* told = turn.body.value();
    if (told == nullptr || !told->is(Kind::array)) continue;
    call.exercise();
    if (turn.status() == 200) continue;
    call.charge_step(turn.step, "The answers to a batch come under another HTTP status.",
                     "HTTP 200", "HTTP " + std::to_string(turn.status()));
  }
}

/// A batch that is answered by one.
template <typename Judge>
void for_each_batch(const RuleCall& call, Judge judge) {
  for (const auto& turn : answered_turns(call)) {
    const auto sent = turn.sent();
    const Value* asked = sent.value();
    const Value* told = turn.body.value();
    const bool is_batch =
        told != nullptr && told->is(Kind::array) && asked != nullptr && asked->is(Kind::array);
    if (is_batch) judge(turn, *asked, *told);
  }
}

void btc_batch_order(const RuleCall& call) {
  for_each_batch(call, [&](const HttpTurn& turn, const Value& asked, const Value& told) {
    if (told.size() < 2 || has_foreign_id(asked, told)) return;
    call.exercise();
    auto answers = element_ids(told);
    auto from = asked.children().begin();
    const auto end = asked.children().end();
    for (const auto& each : told.children()) {
      const Value* id = each.find("id");
      if (id == nullptr || id->is(Kind::null)) continue;
      if (answers[json::write(*id)] > 1) continue;  // which of them is due, nobody knows
      from = std::find_if(from, end, [id](const Value& one) {
        const Value* own = one.find("id");
        return own != nullptr && json::equal(*own, *id);
      });
      if (from != end) continue;
      call.charge_step(turn.step, "The answers to a batch come in another order.",
                       "the order of the calls", json::write(told));
      break;
    }
  });
}

bool has_null_id(const Value& message) {
  const Value* id = message.find("id");
  return id != nullptr && id->is(Kind::null);
}

/// In a batch nothing tells which answer is whose that has no id, or null; but there are no more
/// with null than were asked with null, and than what was refused as no request.
void btc_id_left_out_in_batches(const RuleCall& call) {
  for_each_batch(call, [&](const HttpTurn& turn, const Value& asked, const Value& told) {
    const auto is_without = [&](const Value& each) {
      return each.is(Kind::object) && each.find("id") == nullptr &&
             !json::text_of(each.find("method")).empty() && spelt(call, each) == Spelt::old;
    };
    const bool has_surplus = told.size() > asked.size();
    if (has_surplus || std::ranges::none_of(asked.children(), is_without)) return;
    call.exercise();
    const auto with_null = std::ranges::count_if(told.children(), [](const Value& each) {
      const auto code = error_code_of(each);
      return has_null_id(each) && code != kNoRequest && code != kUnreadable;
    });
    if (with_null <= std::ranges::count_if(asked.children(), has_null_id)) return;
    call.charge_step(turn.step, "A call without an id is answered with one.", "no id",
                     json::write(told));
  });
}

void btc_id_left_out(const RuleCall& call) {
  btc_id_left_out_in_batches(call);
  for_each_answered(call, [&](const HttpTurn& turn, const Value& asked, const Value& response) {
    const bool is_it = asked.find("id") == nullptr && spelt(call, asked) == Spelt::old &&
                       error_code_of(response) != kUnreadable;
    if (!is_it) return;
    call.exercise();
    if (response.find("id") == nullptr) return;
    call.charge_step(turn.step, "A call without an id is answered with one.", "no id",
                     json::write(response), "/id");
  });
}

// What protocol.h lists.
void btc_codes_known(const RuleCall& call) {
  constexpr long long kLeastOwn = -37;
  for (const auto& each : call.heard.all()) {
    const auto code = each.by_server ? error_code_of(*each.value) : std::nullopt;
    if (!code) continue;
    call.exercise();
    const bool is_known = *code == kUnreadable || (*code >= -32603 && *code <= -32600) ||
                          (*code >= kLeastOwn && *code <= -1);
    if (is_known) continue;
    call.charge(each, "/error/code", "The code is none of protocol.h.",
                "-32700, -32600 to -32603, or -1 to -37");
  }
}

void btc_content_type(const RuleCall& call) {
  for (const auto& turn : turns_in(call.events)) {
    const Value* told = turn.body.value();
    const bool is_answer = told != nullptr && (told->is(Kind::array) || told->is(Kind::object));
    if (!turn.response || !is_answer) continue;
    call.exercise();
    if (turn.type() == "application/json") continue;
    call.charge_step(turn.step, "An answer comes under another Content-Type.", "application/json",
                     turn.type().empty() ? "none" : turn.type());
  }
}

void btc_challenge(const RuleCall& call) {
  for (const auto& turn : turns_in(call.events)) {
    if (!turn.response || turn.status() != 401) continue;
    call.exercise();
    const auto challenges = list_in(turn.response_head, "WWW-Authenticate");
    // One of several, in a field of its own or beside others (RFC 9110 §11.6.1).
    const bool is_basic = std::ranges::any_of(
        challenges, [](const std::string& each) { return begins_ignoring_case(each, "basic "); });
    if (is_basic && turn.body.text().empty()) continue;
    call.charge_step(turn.step, "A login is not asked for as it should be.",
                     "WWW-Authenticate: Basic, and no body",
                     (challenges.empty() ? "no WWW-Authenticate" : joined(challenges, ", ")) +
                         ", " + turn.body.text());
  }
}

void btc_no_origins(const RuleCall& call) {
  for (const auto& turn : turns_in(call.events)) {
    if (!turn.response) continue;
    call.exercise();
    const auto allowed = field_in(turn.response_head, "Access-Control-Allow-Origin");
    if (!allowed) continue;
    call.charge_step(turn.step, "Pages of other places are let in.",
                     "no Access-Control-Allow-Origin", *allowed);
  }
}

bool has_eight_decimals(const std::string& token) {
  constexpr std::size_t kDecimals = 8;
  const auto point = token.find('.');
  return point != token.npos && token.size() == point + 1 + kDecimals &&
         token.find_first_of("eE") == token.npos;
}

void btc_amounts(const RuleCall& call) {
  constexpr std::array<const char*, 6> kAmounts = {"total_fee",      "mempoolminfee",
                                                   "relayfee",       "minrelaytxfee",
                                                   "incrementalfee", "incrementalrelayfee"};
  for (const auto& each : call.heard.all()) {
    const bool is_one = each.called() == "getmempoolinfo" || each.called() == "getnetworkinfo";
    const Value* result = is_one ? each.at("/result") : nullptr;
    if (result == nullptr || !result->is(Kind::object)) continue;
    for (const auto* name : kAmounts) {
      const Value* amount = result->find(name);
      if (amount == nullptr) continue;
      call.exercise();
      if (amount->is(Kind::number) && has_eight_decimals(amount->text())) continue;
      call.charge(each, "/result/" + std::string(name), "An amount is not given in full.",
                  "a Number with eight decimals");
    }
  }
}

constexpr std::array kBitcoinRows = {
    RuleRow{"btc-old-shape", &btc_old_shape},
    RuleRow{"btc-new-shape", &btc_new_shape},
    RuleRow{"btc-status-of-success", &btc_status<Told::success>},
    RuleRow{"btc-status-of-new-errors", &btc_status<Told::new_error>},
    RuleRow{"btc-status-of-new-refusals", &btc_status<Told::new_refusal>},
    RuleRow{"btc-status-of-old-unknown", &btc_status<Told::old_unknown>},
    RuleRow{"btc-status-of-old-refusals", &btc_status<Told::old_refusal>},
    RuleRow{"btc-status-of-old-errors", &btc_status<Told::old_error>},
    RuleRow{"btc-status-of-unreadable", &btc_status<Told::unreadable>},
    RuleRow{"btc-status-of-batches", &btc_status_of_batches},
    RuleRow{"btc-batch-order", &btc_batch_order},
    RuleRow{"btc-id-left-out", &btc_id_left_out},
    RuleRow{"btc-codes-known", &btc_codes_known, Needs::message},
    RuleRow{"btc-content-type", &btc_content_type},
    RuleRow{"btc-challenge", &btc_challenge},
    RuleRow{"btc-no-origins", &btc_no_origins},
    RuleRow{"btc-amounts", &btc_amounts, Needs::message},
};

}  // namespace

std::span<const RuleRow> bitcoin_rules() { return kBitcoinRows; }

}  // namespace jrpcheck::judge
