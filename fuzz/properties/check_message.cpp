// By the oracle alone: what each message brings back.
#include <algorithm>
#include <utility>

#include "base/bytes.hpp"
#include "dialogue/id_key.hpp"
#include "fuzz/properties/baseline.hpp"
#include "fuzz/properties/checks.hpp"
#include "json/parse.hpp"

namespace jrpcheck::properties {
namespace {

bool take(judge::Judgement judgement, Trial& trial) {
  trial.exercised.merge(judgement.exercised);
  trial.findings = std::move(judgement.findings);
  return trial.findings.empty();
}

// All Responses with the id of this call, in what came for it and later.
std::vector<const dialogue::Message*> answers_to(const std::string& call,
                                                 const TestSession& session) {
  const auto parsed = json::parse(call);
  std::vector<const dialogue::Message*> answers;
  const auto take = [&](const dialogue::Message& message) {
    const json::Value* id = message.find("id");
    const bool is_one = id != nullptr && dialogue::holds_response(message) &&
                        json::equal(*id, *parsed.value->find("id"));
    if (is_one) answers.push_back(&message);
  };
  for (const auto& asked : session.record()) {
    for (const auto& reply : asked.exchange.replies) take(reply);
  }
  for (const auto& late : session.late()) take(late);
  return answers;
}

}  // namespace

Trial check_message(const Scenario& scenario, TestSession& session) {
  Trial trial;
  for (const auto& message : scenario.messages) {
    if (auto why = session.why_not_sent(message); !why.empty()) return skip(why);
    if (!take(session.judge(message), trial)) break;
  }
  return trial;
}

// The second answer may come when nothing is waited for any more.
Trial check_answered_once(const Scenario& scenario, TestSession& session) {
  const auto& calls = scenario.messages;
  for (const auto& call : calls) {
    if (auto why = session.why_not_sent(call); !why.empty()) return skip(why);
  }
  for (const auto& call : calls) session.ask_with_care(call);
  session.ask_after_listening(
      R"({"jsonrpc":"2.0","method":"jrpcheckLater","id":"jrpcheck-later"})");
  // What is lost with a connection is sent again.
  const bool is_one_connection = std::ranges::none_of(
      session.record(), [](const auto& asked) { return asked.exchange.on_new_connection; });
  if (!is_one_connection) return skip("the server closed the connection meanwhile");
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto answers = answers_to(calls[i], session);
    if (answers.size() < 2) continue;
    return fail(
        i, "res-once", judge::Symptom::several_messages, "one Response",
        to_visible(answers.front()->text()) + " and later " + to_visible(answers.back()->text()));
  }
  return hold("res-once");
}

Trial check_answered_alone(const Scenario& scenario, TestSession& session) {
  bool is_answered = false;
  for (const auto& message : scenario.messages) {
    if (!session.can_send(message)) continue;
    if (!session.ask_with_care(message).replies.empty()) is_answered = true;
    if (!session.held()) continue;
    Trial trial = hold(session.held()->requirement);
    trial.findings.push_back(*session.held());
    return trial;
  }
  return is_answered ? hold("res-always") : skip("nothing was answered");
}

// Of others about as long it is known first that they are answered rightly: a server may have a
// limit.
Trial check_lengths(const Scenario& scenario, TestSession& session) {
  constexpr std::size_t kBeside = 40;
  const std::string& call = scenario.messages.front();
  const std::size_t length = scenario.edits.front();
  const bool is_of_answer = scenario.edits.back() != 0;
  const auto short_one = session.ask(call);
  const auto answer = answer_in(short_one);
  const auto place = call.find(kEchoedText);
  if (!answer || answer->is_error || place == call.npos) {
    return skip_without_baseline("a short text is not echoed");
  }
  const std::size_t known = is_of_answer ? short_one.replies.front().text().size() : call.size();
  if (known > length - kBeside) return skip("the answer to a short text is longer than that");
  const auto judge_one_of = [&](std::size_t bytes) {
    std::string longer = call;
    return session.judge(longer.insert(place, bytes - known, 'x'));
  };
  for (const std::size_t beside : {length - kBeside, length + kBeside}) {
    if (!judge_one_of(beside).findings.empty()) {
      return skip("others about as long are not answered rightly");
    }
  }
  Trial trial;
  take(judge_one_of(length), trial);
  return trial;
}

// Between two calls. A call that goes wrong without the Notification is for other properties.
Trial check_notification(const Scenario& scenario, TestSession& session) {
  const auto& call = scenario.messages.front();
  const auto& notification = scenario.others.front();
  for (const auto& each : {call, notification}) {
    if (auto why = session.why_not_sent(each); !why.empty()) return skip(why);
  }
  if (!session.judge(call).findings.empty()) {
    return skip_without_baseline("a call alone was not answered rightly");
  }
  Trial trial;
  if (take(session.judge(notification), trial)) take(session.judge(call), trial);
  return trial;
}

Trial check_conversation(const Scenario& scenario, TestSession& session) {
  Trial trial;
  for (const auto& message : scenario.messages) {
    if (!session.can_send(message)) continue;
    if (!take(session.judge(message), trial)) return trial;
  }
  take(session.judge(R"({"jsonrpc":"2.0","method":"jrpcheckLast","id":"jrpcheck-last"})"), trial);
  return trial;
}

}  // namespace jrpcheck::properties
