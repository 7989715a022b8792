// By the oracle alone: what each message brings back.
#include <utility>

#include "fuzz/properties/baseline.hpp"
#include "fuzz/properties/checks.hpp"

namespace jrpcheck::properties {
namespace {

bool take(judge::Judgement judgement, Trial& trial) {
  trial.exercised.merge(judgement.exercised);
  trial.findings = std::move(judgement.findings);
  return trial.findings.empty();
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
