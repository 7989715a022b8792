// A message and another spelling of it: the answer is the same.
#include <functional>
#include <string>
#include <utility>

#include "base/utf8.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/properties/baseline.hpp"
#include "fuzz/properties/checks.hpp"
#include "fuzz/properties/spelling.hpp"
#include "json/parse.hpp"

namespace jrpcheck::properties {
namespace {

using json::Kind;
using json::Value;
using judge::Symptom;

// What the answer to the call tells about.
std::string shown_by(const std::string& call) {
  const auto parsed = json::parse(call);
  const Value* method = parsed ? parsed.value->find("method") : nullptr;
  const bool unknown = method != nullptr && method->text().compare(0, fuzz::kUnknownMethod.size(),
                                                                   fuzz::kUnknownMethod) == 0;
  if (unknown) return "err-code-method";
  const Value* params = parsed ? parsed.value->find("params") : nullptr;
  return params != nullptr && params->is(Kind::object) ? "par-named" : "par-positional";
}

// What an answer that differs breaks, where the difference has no requirement of its own.
std::string broken_by(const std::string& call, const Answer& before,
                      const dialogue::Exchange& exchange) {
  const auto now = answer_in(exchange);
  if (!now) return exchange.replies.size() > 1 ? "res-once" : "res-always";
  if (same_content(*now, before)) return "id-echo";
  std::string shown = shown_by(call);
  if (shown == "err-code-method") return shown;
  return now->is_error && !before.is_error ? "res-result-on-success" : shown;
}

// The same JSON as our own writer spells it, so that a variation differs in one thing alone.
std::string plainly(const std::string& message) {
  const auto parsed = json::parse(message);
  return parsed ? json::write(*parsed.value) : message;
}

const char* const kCallChanged = "the answer to the call alone changed meanwhile";

// Another id of the same call: neither what it is answered nor its params have anything to do with
// it.
std::string broken_by_id(const std::string& call, const Answer& before,
                         const dialogue::Exchange& exchange) {
  const auto now = answer_in(exchange);
  if (now && now->is_error != before.is_error) return "res-result-on-success";
  return broken_by(call, before, exchange);
}

struct Variation {
  std::string requirement;  // empty: by what differs
  Symptom symptom;          // what is wrong when the answer differs
  std::function<dialogue::Exchange()> ask;
};

Trial compare(const std::string& call, const Variation& variation, TestSession& session) {
  std::string why;
  const auto before = stable_answer(session, call, why);
  if (!before) return skip_without_baseline(why);
  const auto exchange = variation.ask();
  const std::size_t step = last_step(session);
  const auto now = answer_in(exchange);
  if (now && same(*now, *before)) {
    return hold(variation.requirement.empty() ? shown_by(call) : variation.requirement);
  }
  const bool is_id_alone =
      variation.symptom == Symptom::changed_by_param_order && now && same_content(*now, *before);
  const std::string requirement = variation.requirement.empty() || is_id_alone
                                      ? broken_by(call, *before, exchange)
                                      : variation.requirement;
  for (int i = 1; i < session.repeats(); ++i) {
    if (!is_unchanged(session, call, *before)) return skip(kCallChanged);
  }
  return fail(step, requirement, variation.symptom, described(*before), described(exchange));
}

Trial compare_texts(const std::string& call, const std::string& varied, std::string requirement,
                    Symptom symptom, TestSession& session) {
  if (varied == call) return skip("there is nothing to vary in it");
  for (const auto& each : {call, varied}) {
    if (auto why = session.why_not_sent(each); !why.empty()) return skip(why);
  }
  return compare(call, {std::move(requirement), symptom, [&] { return session.ask(varied); }},
                 session);
}

// Offsets that lie within a character of several bytes.
std::vector<std::size_t> places_inside_characters(const std::string& text) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_continuation(text[i])) places.push_back(i);
  }
  return places;
}

}  // namespace

Trial check_white_space(const Scenario& scenario, TestSession& session) {
  const auto& call = scenario.messages.front();
  return compare_texts(
      call, with_white_space(call, scenario.edits, session.binding().ends_message.empty()),
      "json-whitespace", Symptom::changed_by_white_space, session);
}

Trial check_escapes(const Scenario& scenario, TestSession& session) {
  const auto& call = scenario.messages.front();
  return compare_texts(call, with_escapes(call, scenario.edits), "json-escapes",
                       Symptom::changed_by_escapes, session);
}

Trial check_member_order(const Scenario& scenario, TestSession& session) {
  const std::string call = plainly(scenario.messages.front());
  return compare_texts(call, with_members_swapped(call, scenario.edits), {},
                       Symptom::changed_by_member_order, session);
}

Trial check_param_order(const Scenario& scenario, TestSession& session) {
  const std::string call = plainly(scenario.messages.front());
  return compare_texts(call, with_params_swapped(call, scenario.edits), "par-named",
                       Symptom::changed_by_param_order, session);
}

Trial check_split(const Scenario& scenario, TestSession& session) {
  const auto& call = scenario.messages.front();
  if (auto barrier = session.why_not_sent(call); !barrier.empty()) return skip(barrier);
  std::vector<std::size_t> cuts;
  const std::size_t bytes = call.size() + session.binding().head_bytes;
  const auto inside = places_inside_characters(call);
  for (const std::size_t edit : scenario.edits) {
    const bool within = edit % 2 == 1 && !inside.empty() && !session.binding().ends_message.empty();
    cuts.push_back(within ? inside[edit / 2 % inside.size()] : 1 + edit % (bytes - 1));
  }
  return compare(
      call,
      {"rob-split", Symptom::changed_by_pieces, [&] { return session.ask_in_pieces(call, cuts); }},
      session);
}

Trial check_id_exchange(const Scenario& scenario, TestSession& session) {
  const std::string call = plainly(scenario.messages.front());
  const std::string varied = with_id(call, scenario.others.front());
  if (varied == call) return skip("there is nothing to vary in it");
  // A wrong id is charged as such, whichever of the two has it.
  auto of_call = session.judge(call);
  Trial trial;
  trial.exercised = std::move(of_call.exercised);
  trial.findings = std::move(of_call.findings);
  if (!trial.findings.empty()) {
    trial.lacks_baseline = true;
    return trial;
  }
  std::string why;
  const auto before = stable_answer(session, call, why);
  if (!before) return skip_without_baseline(why);
  auto judgement = session.judge(varied);
  const std::size_t step = last_step(session);
  trial.exercised.merge(judgement.exercised);
  trial.findings = std::move(judgement.findings);
  if (!trial.findings.empty()) return trial;
  const auto exchange = session.record().back().exchange;
  const auto now = answer_in(exchange);
  if (now && same_content(*now, *before)) return trial;
  if (!is_unchanged(session, call, *before)) return skip(kCallChanged);
  return fail(step, broken_by_id(call, *before, exchange), Symptom::changed_by_id,
              described(*before) + ", but for the id", described(exchange));
}

// Members beyond the four are ignored or refused (JSON-RPC 2.0 §4 leaves it open), and the call is
// answered by its id in any case.
Trial check_extra_member(const Scenario& scenario, TestSession& session) {
  const std::string call = plainly(scenario.messages.front());
  std::string why;
  const auto before = stable_answer(session, call, why);
  if (!before) return skip_without_baseline(why);
  auto judgement = session.judge(with_member(call, "jrpcheckExtra", "1"));
  Trial trial;
  trial.exercised = std::move(judgement.exercised);
  trial.findings = std::move(judgement.findings);
  const auto now = answer_in(session.record().back().exchange);
  if (now && same_content(*now, *before)) {
    // An error either way tells nothing.
    trial.observed = before->is_error ? "" : "ignored";
  } else if (now && now->is_error) {
    trial.observed = "refused";
  }
  return trial;
}

}  // namespace jrpcheck::properties
