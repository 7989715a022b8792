// Calls and what stands beside them: nothing changes their answers.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/expectation.hpp"
#include "fuzz/judge_company.hpp"
#include "fuzz/properties/baseline.hpp"
#include "fuzz/properties/checks.hpp"
#include "fuzz/properties/spelling.hpp"
#include "json/parse.hpp"

namespace jrpcheck::properties {
namespace {

using judge::Symptom;
using Texts = std::vector<std::string>;

std::string batch_of(const Texts& elements) {
  std::string text;
  for (const auto& element : elements) text += (text.empty() ? "[" : ",") + element;
  return text + "]";
}

std::string batch_with(Texts elements, const std::string& other, std::size_t place) {
  const auto at = place % (elements.size() + 1);
  elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(at), other);
  return batch_of(elements);
}

bool are_as_many_and_same(const std::vector<Answer>& some, const std::vector<Answer>& others) {
  return some.size() == others.size() && contains(some, others);
}

// Of an id that nobody has sent it is the id that is wrong; one of another call is for that.
bool has_strange_id(const std::vector<Answer>& answers, const std::vector<Answer>& alone) {
  return std::ranges::any_of(answers, [&](const Answer& each) {
    return !each.id.is(json::Kind::null) && std::ranges::none_of(alone, [&](const Answer& one) {
      return json::equal(one.id, each.id);
    });
  });
}

// The answers to a batch that is sent several times; nothing where they are not always the same.
std::optional<std::vector<Answer>> stable_batch(TestSession& session, const std::string& batch) {
  auto first = batch_in(session.ask(batch));
  for (int i = 1; first && i < session.repeats(); ++i) {
    const auto again = batch_in(session.ask(batch));
    if (!again || !are_as_many_and_same(*again, *first)) return std::nullopt;
  }
  return first;
}

const char* const kNotStable =
    "a batch of calls alone was not answered by one Array, or not alike "
    "each time";
const char* const kCallsChanged = "the answers to the calls alone changed meanwhile";

constexpr std::string_view kUnknownCall =
    R"({"jsonrpc":"2.0","method":"jrpcheckAfter","id":"jrpcheck-after"})";

bool mentions_prototype(const std::string& message) {
  return message.find("__proto__") != std::string::npos ||
         message.find("constructor") != std::string::npos;
}

std::string broken_after(const std::string& call, const std::string& other) {
  if (mentions_prototype(other)) return "rob-prototype-params";
  const bool unknown = call.find("\"" + std::string(fuzz::kUnknownMethod)) != std::string::npos;
  return unknown ? "err-code-method" : "rob-survives";
}

// What else is wrong with the answer is for other properties.
Trial survived(judge::Judgement judgement) {
  Trial trial = hold("rob-survives");
  for (auto& finding : judgement.findings) {
    if (finding.requirement == "rob-survives") trial.findings.push_back(std::move(finding));
  }
  return trial;
}

constexpr std::string_view kNextId = R"("jrpcheck-next")";

bool holds(const json::Value& value, const json::Value& id) {
  return json::equal(value, id) ||
         std::ranges::any_of(value.children(), [&](const auto& each) { return holds(each, id); });
}

// What the call behind that message was answered: by its id, else by one that nobody has sent.
std::vector<Answer> answers_to_next(const dialogue::Exchange& exchange, const std::string& ahead) {
  const auto parsed = json::parse(ahead);
  std::vector<Answer> own;
  std::vector<Answer> strange;
  for (const auto& reply : exchange.replies) {
    auto answer = reply.value() != nullptr ? answer_in(*reply.value()) : std::nullopt;
    if (!answer || answer->id.is(json::Kind::null)) continue;
    if (json::write(answer->id) == kNextId) {
      own.push_back(*std::move(answer));
    } else if (!parsed || !holds(*parsed.value, answer->id)) {
      strange.push_back(*std::move(answer));
    }
  }
  return own.empty() ? std::move(strange) : std::move(own);
}

// Who bounds how many calls may be under way refuses the one behind a batch, and does no wrong.
bool may_be_one_too_many(const std::string& ahead, const dialogue::Exchange& exchange) {
  const auto parsed = json::parse(ahead);
  if (!parsed || !parsed.value->is(json::Kind::array) || parsed.value->size() < 2) return false;
  return std::ranges::any_of(exchange.replies, [](const auto& reply) {
    return reply.value() != nullptr && fuzz::may_be_too_much(*reply.value());
  });
}

constexpr const char* kOneTooMany = "it may be one call too many";

// Nor does who refuses some of those in one write by a code that none of them has alone.
bool may_be_too_many(const dialogue::Exchange& exchange, const std::vector<Answer>& alone) {
  return std::ranges::any_of(exchange.replies, [&](const auto& reply) {
    const auto answer = reply.value() != nullptr ? answer_in(*reply.value()) : std::nullopt;
    return answer && fuzz::may_be_too_much(*reply.value()) &&
           std::ranges::none_of(alone, [&](const Answer& each) {
             return each.is_error && json::equal(each.content, answer->content);
           });
  });
}

// Behind each message on a stream goes a control call, which meets what that message does to the
// next call alone. So the call itself goes in one write with it, and is held against what it brings
// behind a message that does nothing. An answer that has not come may still come.
Trial check_next(const std::string& call, const std::string& other, TestSession& session) {
  const std::string harmless(kUnknownCall);
  const auto ask_behind = [&](const std::string& message) {
    return answers_to_next(session.ask_behind(message, call), message);
  };
  const auto before = ask_behind(harmless);
  const auto is_as_before = [&](const std::vector<Answer>& now) {
    return now.size() == 1 && same(now.front(), before.front());
  };
  const auto stays_as_before = [&] {
    for (int i = 1; i < session.repeats(); ++i) {
      if (!is_as_before(ask_behind(harmless))) return false;
    }
    return true;
  };
  if (before.size() != 1 || json::write(before.front().id) != kNextId || !stays_as_before()) {
    return skip("a call behind another was not answered alike");
  }
  for (int i = 0; i < session.repeats(); ++i) {
    const auto now = ask_behind(other);
    if (now.empty() || is_as_before(now)) return hold("rob-survives");
  }
  const std::size_t step = last_step(session);
  const auto exchange = session.record().back().exchange;
  if (may_be_one_too_many(other, exchange)) return skip(kOneTooMany);
  if (!stays_as_before()) return skip(kCallsChanged);
  // An id that was rounded, or read in what is no JSON, is the message's own.
  if (!answers_to_next(session.ask(other), other).empty()) return hold("rob-survives");
  const auto now = answers_to_next(exchange, other);
  const std::string requirement = now.size() > 1 ? "res-once"
                                  : json::equal(now.front().id, before.front().id)
                                      ? broken_after(call, other)
                                      : "id-echo";
  return fail(step, requirement, Symptom::changed_by_earlier_message, described(before),
              described(exchange));
}

struct Neighbour {
  std::string requirement;
  Symptom symptom;
  // What the calls' answers are to the batch with the neighbour in it.
  bool (*is_kept)(const std::vector<Answer>& with, const std::vector<Answer>& without);
  std::string_view expected;
};

// A batch of calls is answered alike with another element among them.
Trial check_neighbour(const Scenario& scenario, TestSession& session, const Neighbour& neighbour) {
  const auto& calls = scenario.messages;
  const auto without = stable_batch(session, batch_of(calls));
  if (!without) return skip_without_baseline(kNotStable);
  const auto exchange =
      session.ask(batch_with(calls, scenario.others.front(), scenario.edits.front()));
  const std::size_t step = last_step(session);
  const auto with = batch_in(exchange);
  if (with && neighbour.is_kept(*with, *without)) return hold(neighbour.requirement);
  const auto again = stable_batch(session, batch_of(calls));
  if (!again || !are_as_many_and_same(*again, *without)) return skip(kCallsChanged);
  return fail(step, neighbour.requirement, neighbour.symptom,
              std::string(neighbour.expected) + described(*without), described(exchange));
}

}  // namespace

Trial check_batch_of_calls(const Scenario& scenario, TestSession& session) {
  const auto& calls = scenario.messages;
  std::string why;
  const auto alone = stable_answers(session, calls, why);
  if (!alone) return skip_without_baseline(why);
  const auto exchange = session.ask(batch_of(calls));
  const std::size_t step = last_step(session);
  const auto together = batch_in(exchange);
  const std::string requirement = calls.size() == 1 ? "bat-one" : "bat-each";
  if (together && are_as_many_and_same(*together, *alone)) return hold(requirement);
  if (!are_unchanged(session, calls, *alone)) return skip(kCallsChanged);
  const bool is_of_ids =
      together && together->size() == alone->size() && has_strange_id(*together, *alone);
  return fail(step, is_of_ids ? "id-echo" : requirement, Symptom::changed_in_batch,
              "an Array of " + described(*alone), described(exchange));
}

Trial check_notification_in_batch(const Scenario& scenario, TestSession& session) {
  return check_neighbour(scenario, session,
                         {"ntf-silent-in-batch", Symptom::changed_by_notification,
                          are_as_many_and_same, "an Array of "});
}

Trial check_invalid_neighbour(const Scenario& scenario, TestSession& session) {
  return check_neighbour(scenario, session,
                         {"bat-invalid-member", Symptom::changed_by_invalid_element, contains,
                          "an Array that holds "});
}

// Who serves so many calls a connection keeps every rule (tcp-keep-open).
constexpr const char* kFewAnswers = "the server closes each connection after so many answers";

// Also where they come one by one: between two connections that begin, one is used up.
bool serves_fewer(TestSession& session, const std::string& call, std::size_t many) {
  if (!session.binding().on_sockets) return false;
  std::optional<std::size_t> begun;
  for (std::size_t i = 0; i < 2 * many; ++i) {
    if (!session.ask(call).on_new_connection) continue;
    if (begun) return i - *begun < many;
    begun = i;
  }
  return false;
}

Trial check_one_write(const Scenario& scenario, TestSession& session) {
  const auto& calls = scenario.messages;
  for (const auto& call : calls) {
    if (auto why = session.why_not_sent(call); !why.empty()) return skip(why);
  }
  std::string why;
  const auto alone = stable_answers(session, calls, why);
  if (!alone) return skip_without_baseline(why);
  const auto exchange = session.ask_together(calls);
  const std::size_t step = last_step(session);
  const auto together = answers_in(exchange);
  if (together && are_as_many_and_same(*together, *alone)) return hold("rob-pipelined");
  if (may_be_too_many(exchange, *alone)) return skip(kOneTooMany);
  if (serves_fewer(session, calls.front(), calls.size())) return skip(kFewAnswers);
  if (!are_unchanged(session, calls, *alone)) return skip(kCallsChanged);
  return fail(step, "rob-pipelined", Symptom::changed_in_one_write,
              described(*alone) + ", each as a message of its own", described(exchange));
}

// A call of an unknown method goes beside the other: what goes wrong is often the making of errors.
Trial check_call_after_anything(const Scenario& scenario, TestSession& session) {
  const Texts calls = {scenario.messages.front(), std::string(kUnknownCall)};
  const auto& other = scenario.others.front();
  if (auto barrier = session.why_not_sent(other); !barrier.empty()) return skip(barrier);
  std::string why;
  const auto before = stable_answers(session, calls, why);
  if (!before) return skip_without_baseline(why);
  Trial trial = survived(session.judge_once(other));
  for (std::size_t i = 0; i < calls.size() && trial.findings.empty(); ++i) {
    const auto exchange = session.ask(calls[i]);
    const std::size_t step = last_step(session);
    const auto now = answer_in(exchange);
    if (now && same(*now, (*before)[i])) continue;
    // An answer that comes late, or a change that does not last, is no trace of the message.
    for (int again = 0; again < session.repeats(); ++again) {
      if (is_unchanged(session, calls[i], (*before)[i])) return skip(kCallsChanged);
    }
    const bool is_of_id = now && same_content(*now, (*before)[i]);
    return fail(step, is_of_id ? "id-echo" : broken_after(calls[i], other),
                Symptom::changed_by_earlier_message, described((*before)[i]), described(exchange));
  }
  if (!trial.findings.empty() || !session.binding().is_stream()) return trial;
  for (const auto& call : calls) {
    Trial of_next = check_next(with_id(call, kNextId), other, session);
    if (!of_next.findings.empty()) return of_next;
  }
  return trial;
}

}  // namespace jrpcheck::properties
