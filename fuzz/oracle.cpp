#include "fuzz/oracle.hpp"

#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "dialogue/id_key.hpp"
#include "fuzz/blame.hpp"
#include "fuzz/protocol.hpp"
#include "json/parse.hpp"
#include "judge/envelope.hpp"
#include "judge/fact.hpp"
#include "judge/judge.hpp"
#include "judge/left_out_id.hpp"
#include "judge/unasked.hpp"

namespace jrpcheck::fuzz {
namespace {

using json::Kind;

constexpr std::size_t kShown = 200;  // bytes of each reply

void judge_reply(const dialogue::Reply& reply, bool may_be_1_0, bool may_lack_id,
                 judge::Charger& charger) {
  judge::judge_text(reply, charger);
  const json::Value* value = reply.value();
  if (value == nullptr) return;
  const auto judge_one = [&](const json::Value& one) {
    // What names its version is judged by it.
    const bool is_of_1_0 = may_be_1_0 && one.find("jsonrpc") == nullptr;
    if (!dialogue::has_outcome(one) || is_of_1_0) return;
    judge::judge_response(one, false, charger, may_lack_id && judge::is_error_without_id(one));
  };
  judge_one(*value);
  if (!value->is(Kind::array)) return;
  for (const auto& each : value->children()) judge_one(each);
}

// What has no id is one only where it is a Request (JSON-RPC 2.0 §4.1).
bool is_notification(const json::Value& value) {
  const json::Value* version = value.find("jsonrpc");
  const json::Value* method = value.find("method");
  const bool is_request = version != nullptr && version->is(Kind::string) &&
                          version->text() == "2.0" && method != nullptr && method->is(Kind::string);
  return is_request && value.find("id") == nullptr;
}

std::size_t responses_in(const dialogue::Reply& reply) {
  const json::Value* value = reply.value();
  if (value == nullptr) return 0;
  if (!value->is(Kind::array)) return dialogue::has_outcome(*value) ? 1 : 0;
  const auto count = std::ranges::count_if(value->children(), dialogue::has_outcome);
  return static_cast<std::size_t>(count);
}

// Whatever one Object is taken for, it is one call at most, and brings one Response (JSON-RPC 2.0
// §5). What is no JSON may be read as several.
bool is_one_object(const std::vector<dialogue::Message>& sent) {
  const json::Value* value = sent.size() == 1 ? sent.front().value() : nullptr;
  return value != nullptr && value->is(Kind::object);
}

// Whatever a message is, the call behind it is answered with its own id.
void judge_call_behind(const std::vector<dialogue::Event>& events, const corpus::Ledger& ledger,
                       judge::Judgement& judgement) {
  const auto known = judgement.findings.size();
  judge::Charger charger(ledger, judgement);
  for (const auto& event : events) {
    if (event.note != dialogue::kOtherIdNote) continue;
    judge::judge_answer_with_other_id(dialogue::message_of(event), charger);
  }
  for (auto each = judgement.findings.begin() + static_cast<std::ptrdiff_t>(known);
       each != judgement.findings.end(); ++each) {
    if (each->symptom != judge::Symptom::wrong_id) continue;
    each->about = kCallBehind;
    each->expected = "the id of the call behind it";
  }
}

void judge_held_answer(const dialogue::Exchange& exchange, judge::Judgement& judgement) {
  if (exchange.held_until_more.empty()) return;
  dialogue::Event event;
  event.fact = dialogue::Fact::held_until_more;
  event.bytes = exchange.held_until_more;
  auto finding = judge::finding_of(event).value();
  finding.about = kHeldAnswer;
  judgement.exercised.insert(finding.requirement);
  judgement.findings.push_back(std::move(finding));
}

// A status alone, or a page for people, is the HTTP layer speaking: that it speaks is no fault
// where anything may come.
bool is_page(const dialogue::Reply& reply) { return reply.http_status >= 400; }

}  // namespace

judge::Judgement Oracle::judge_open(const Expectation& expectation,
                                    const dialogue::Exchange& exchange,
                                    const dialogue::SurvivalCheck& survival) const {
  // Survival and framing are judged as everywhere, on an exchange without replies.
  dialogue::Exchange rest = exchange;
  rest.replies.clear();
  // Whether anything is owed is open, and so is which status goes with it; but to a Notification
  // nothing is owed.
  const json::Value* sent = expectation.expected.steps.front().messages.front().value();
  if (sent == nullptr || !is_notification(*sent)) rest.http_status = 0;
  rest.ending = exchange.endless ? exchange.ending : dialogue::Ending::settled;
  judge::Context context;
  context.binding = traits_.binding;
  auto judgement = judge::judge(expectation.expected, {&rest, 1}, survival, ledger_, context);
  judge::Charger charger(ledger_, judgement);
  charger.begin_step(0, expectation.expected.steps.front().messages.front().text().size());
  const bool may_lack_id =
      traits_.protocol &&
      judge::how_id_is_left_out(traits_.protocol->law->profile, exchange) != nullptr;
  std::size_t responses = 0;
  std::string shown;
  for (const auto& reply : exchange.replies) {
    if (is_page(reply)) continue;
    judge_reply(reply, expectation.may_be_1_0, may_lack_id, charger);
    responses += responses_in(reply);
    shown += (shown.empty() ? "" : " and ") + to_visible(reply.text(), kShown);
  }
  if (responses > 1 && is_one_object(expectation.expected.steps.front().messages)) {
    charger.charge("res-once", {judge::Symptom::several_messages, "one Response at most", shown});
  }
  return judgement;
}

judge::Judgement Oracle::judge_exchange(const Expectation& expectation,
                                        const dialogue::Exchange& exchange,
                                        const dialogue::SurvivalCheck& survival,
                                        const std::vector<dialogue::Event>& events) const {
  auto judgement = expectation.open ? judge_open(expectation, exchange, survival)
                                    : judge_closed(expectation, exchange, survival);
  judge_call_behind(events, ledger_, judgement);
  judge_held_answer(exchange, judgement);
  if (!traits_.protocol) return judgement;
  const std::string& sent = expectation.expected.steps.front().messages.front().text();
  const judge::Law& law = *traits_.protocol->law;
  // Its own cases send more than the protocol has, where its schemas say so: the law is about that
  // too. Where they say nothing of the client's messages it is about those of JSON-RPC.
  const bool is_own = knows_its_messages(*traits_.protocol)
                          ? judge::is_message_of_client(law, sent, true)
                          : !expectation.open && !expectation.is_faulty;
  const bool says_something = is_own && is_unambiguous(sent);
  judge::judge_by_law(says_something ? events : std::vector<dialogue::Event>(), law, ledger_,
                      judgement, expectation.is_foreign);
  return judgement;
}

judge::Judgement Oracle::judge_closed(const Expectation& expectation,
                                      const dialogue::Exchange& exchange,
                                      const dialogue::SurvivalCheck& survival) const {
  judge::Context context;
  context.binding = traits_.binding;
  if (traits_.protocol) context.law = traits_.protocol->law;
  auto judgement = judge::judge(expectation.expected, {&exchange, 1}, survival, ledger_, context);
  lay_blame(expectation, traits_, exchange, judgement);
  return judgement;
}

judge::Judgement Oracle::judge_exchange(std::string_view sent, const dialogue::Exchange& exchange,
                                        const dialogue::SurvivalCheck& survival) const {
  return judge_exchange(expectation_of(sent, traits_), exchange, survival);
}

judge::Judgement Oracle::judge_replies(std::string_view sent,
                                       const std::vector<std::string>& replies) const {
  dialogue::Exchange exchange;
  for (const auto& text : replies) exchange.replies.push_back({text, 0});
  return judge_exchange(sent, exchange, {});
}

std::string shape_of(const Expectation& expectation, const judge::Finding& finding) {
  // What is wrong with every reply is one fault, whatever it answers.
  std::string symptom(name_of(symptom_of(finding)));
  if (judge::is_envelope_requirement(finding.requirement)) return symptom;
  return (finding.about.empty() ? expectation.kind : finding.about) + ": " + symptom;
}

}  // namespace jrpcheck::fuzz
