// A message and another spelling of it: the answer is the same.
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/expectation.hpp"
#include "fuzz/properties/baseline.hpp"
#include "fuzz/properties/checks.hpp"
#include "fuzz/properties/spelling.hpp"
#include "json/parse.hpp"

namespace jrpcheck::properties {
namespace {

using json::Kind;
using json::Value;

// What an answer that differs breaks, where the difference has no requirement of its own.
std::string broken_by(const std::string& call, const Answer& before,
                      const std::optional<Answer>& now) {
  if (!now) return "res-always";
  const auto parsed = json::parse(call);
  const Value* method = parsed ? parsed.value->find("method") : nullptr;
  const bool unknown = method != nullptr && method->text().compare(0, fuzz::kUnknownMethod.size(),
                                                                   fuzz::kUnknownMethod) == 0;
  if (unknown) return "err-code-method";
  if (now->is_error && !before.is_error) return "res-result-on-success";
  const Value* params = parsed ? parsed.value->find("params") : nullptr;
  return params != nullptr && params->is(Kind::object) ? "par-named" : "par-positional";
}

// The same JSON as our own writer spells it, so that a variation differs in one thing alone.
std::string plainly(const std::string& message) {
  const auto parsed = json::parse(message);
  return parsed ? json::write(*parsed.value) : message;
}

const char* const kCallChanged = "the answer to the call alone changed meanwhile";

struct Variation {
  std::string requirement;  // empty: by what differs
  std::string message;      // what is wrong when the answer differs
  std::function<dialogue::Exchange()> ask;
};

Trial compare(const std::string& call, const Variation& variation, Talk& talk) {
  std::string why;
  const auto before = stable_answer(talk, call, why);
  if (!before) return skip(why);
  const auto exchange = variation.ask();
  const std::size_t step = last_step(talk);
  const auto now = answer_in(exchange);
  const std::string requirement =
      variation.requirement.empty() ? broken_by(call, *before, now) : variation.requirement;
  if (now && same(*now, *before)) return hold(requirement);
  for (int i = 1; i < talk.repeats(); ++i) {
    if (!is_unchanged(talk, call, *before)) return skip(kCallChanged);
  }
  return fail(step, requirement, variation.message, described(*before), described(exchange));
}

Trial compare_texts(const std::string& call, const std::string& varied, std::string requirement,
                    std::string message, Talk& talk) {
  if (varied == call) return skip("there is nothing to vary in it");
  if (!talk.can_send(call) || !talk.can_send(varied)) return skip("the framing cannot carry it");
  return compare(
      call, {std::move(requirement), std::move(message), [&] { return talk.ask(varied); }}, talk);
}

// Offsets that lie within a character of several bytes.
std::vector<std::size_t> places_inside_characters(const std::string& text) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) places.push_back(i);
  }
  return places;
}

}  // namespace

Trial check_white_space(const Scenario& scenario, Talk& talk) {
  const auto& call = scenario.messages.front();
  return compare_texts(call, with_white_space(call, scenario.edits, !talk.binding().one_line),
                       "json-whitespace", "White space between tokens changes the answer.", talk);
}

Trial check_escapes(const Scenario& scenario, Talk& talk) {
  const auto& call = scenario.messages.front();
  return compare_texts(call, with_escapes(call, scenario.edits), "json-escapes",
                       "Characters written as escapes change the answer.", talk);
}

Trial check_member_order(const Scenario& scenario, Talk& talk) {
  const std::string call = plainly(scenario.messages.front());
  return compare_texts(call, with_members_swapped(call, scenario.edits), {},
                       "Another order of the Request's members changes the answer.", talk);
}

Trial check_param_order(const Scenario& scenario, Talk& talk) {
  const std::string call = plainly(scenario.messages.front());
  return compare_texts(call, with_params_swapped(call, scenario.edits), "par-named",
                       "Another order of named params changes the answer.", talk);
}

Trial check_split(const Scenario& scenario, Talk& talk) {
  const auto& call = scenario.messages.front();
  if (!talk.can_send(call)) return skip("the framing cannot carry it");
  std::vector<std::size_t> cuts;
  const std::size_t bytes = call.size() + talk.binding().head_bytes;
  const auto inside = places_inside_characters(call);
  for (const std::size_t edit : scenario.edits) {
    const bool within = edit % 2 == 1 && !inside.empty() && talk.binding().one_line;
    cuts.push_back(within ? inside[edit / 2 % inside.size()] : 1 + edit % (bytes - 1));
  }
  return compare(call,
                 {"rob-split", "Bytes that arrive in pieces change the answer.",
                  [&] { return talk.ask_in_pieces(call, cuts); }},
                 talk);
}

Trial check_id_exchange(const Scenario& scenario, Talk& talk) {
  const std::string call = plainly(scenario.messages.front());
  const std::string varied = with_id(call, scenario.others.front());
  if (varied == call) return skip("there is nothing to vary in it");
  std::string why;
  const auto before = stable_answer(talk, call, why);
  if (!before) return skip(why);
  auto judgement = talk.judge(varied);
  const std::size_t step = last_step(talk);
  Trial trial;
  trial.exercised = std::move(judgement.exercised);
  trial.findings = std::move(judgement.findings);
  if (!trial.findings.empty()) return trial;
  const auto exchange = talk.record().back().exchange;
  const auto now = answer_in(exchange);
  if (now && same_content(*now, *before)) return trial;
  if (!is_unchanged(talk, call, *before)) return skip(kCallChanged);
  return fail(step, broken_by(call, *before, now), "Another id changes more than the id.",
              described(*before) + ", but for the id", described(exchange));
}

// Members beyond the four are ignored or refused (JSON-RPC 2.0 §4 leaves it open), and the call is
// answered by its id in any case.
Trial check_extra_member(const Scenario& scenario, Talk& talk) {
  const std::string call = plainly(scenario.messages.front());
  std::string why;
  const auto before = stable_answer(talk, call, why);
  if (!before) return skip(why);
  auto judgement = talk.judge(with_member(call, "jrpcheckExtra", "1"));
  Trial trial;
  trial.exercised = std::move(judgement.exercised);
  trial.findings = std::move(judgement.findings);
  const auto now = answer_in(talk.record().back().exchange);
  if (now && same_content(*now, *before)) {
    // An error either way tells nothing.
    trial.observed = before->is_error ? "" : "ignored";
  } else if (now && now->is_error) {
    trial.observed = "refused";
  }
  return trial;
}

}  // namespace jrpcheck::properties
