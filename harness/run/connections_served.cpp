#include "run/connections_served.hpp"

#include <algorithm>

namespace jrpcheck::run {
namespace {

bool has_served(const dialogue::Exchange& exchange) {
  return exchange.ending == dialogue::Ending::settled;
}

// How many answers came before the connection was closed, where that is what a case fails for; else
// 0.
std::size_t answers_before_close(const corpus::Case& one, const CaseRun& run) {
  if (run.result.verdict != result::Verdict::fail || run.exchanges.empty()) return 0;
  const auto& last = run.exchanges.back();
  const bool is_cut_short =
      last.ending == dialogue::Ending::closed &&
      last.replies.size() < one.steps[run.exchanges.size() - 1].messages.size();
  return is_cut_short ? last.replies.size() : 0;
}

// Also where each call is sent when the one before has been answered.
bool closes_after(std::size_t answers, session::Conversation& conversation,
                  const session::ControlCall& control) {
  dialogue::Transcript aside;
  if (!conversation.open(aside)) return false;
  for (std::size_t i = 0; i <= answers; ++i) {
    auto call = corpus::step_sending(control.text(static_cast<long long>(i) + 1));
    call.same_connection = true;
    const auto exchange = conversation.exchange(call, aside);
    if (!has_served(exchange) || exchange.on_new_connection != (i == answers)) return false;
  }
  return true;
}

}  // namespace

bool serves_second_connection(
    const std::function<std::unique_ptr<session::Conversation>()>& converse,
    const session::ControlCall& control, bool& is_closed) {
  auto call = corpus::step_sending(control.text(1));
  const auto is_served = [&](session::Conversation& conversation) {
    dialogue::Transcript aside;
    const bool is_open = bool(conversation.open(aside));
    const auto exchange = is_open ? conversation.exchange(call, aside) : dialogue::Exchange{};
    is_closed = is_closed || !is_open || exchange.ending == dialogue::Ending::closed;
    return is_open && has_served(exchange);
  };
  const auto first = converse();
  const auto second = converse();
  if (!is_served(*first) || !is_served(*second)) return false;
  // Where there is one session at a time, the second has ended the first.
  dialogue::Transcript again;
  call.messages = {control.text(2)};
  first->exchange(call, again);
  return std::ranges::none_of(again.whole(), [](const dialogue::Event& event) {
    return event.note == dialogue::kSessionEndedNote;
  });
}

bool serves_one_call(session::Conversation& conversation, const session::ControlCall& control) {
  dialogue::Transcript aside;
  if (!conversation.open(aside)) return false;
  auto call = corpus::step_sending(control.text(1));
  if (!has_served(conversation.exchange(call, aside))) return false;
  call.messages = {control.text(2)};
  call.same_connection = true;
  const auto second = conversation.exchange(call, aside);
  return has_served(second) && second.on_new_connection;
}

void take_back_closed_early(const corpus::Case& one, Endpoint& endpoint,
                            session::Conversation& usual, CaseRun& run) {
  const std::size_t answers = endpoint.binding().on_sockets ? answers_before_close(one, run) : 0;
  if (answers == 0) return;
  const bool makes_way = endpoint.has_turned_away();
  if (makes_way) usual.step_aside();
  const bool closes = closes_after(answers, *endpoint.converse(), endpoint.control_call());
  dialogue::Transcript aside;
  if (makes_way) (void)usual.open(aside);  // where this fails the server is gone
  if (!closes) return;
  run.result = not_exercised(
      one, "the server closes each connection after " + std::to_string(answers) + " answers");
}

bool found_connection_used_up(const corpus::Case& one, const CaseRun& run) {
  const auto& exchanges = run.exchanges;
  if (run.result.verdict != result::Verdict::not_exercised || exchanges.empty()) return false;
  if (exchanges.front().on_new_connection) return false;
  for (std::size_t step = 1; step < exchanges.size() && step < one.steps.size(); ++step) {
    if (one.steps[step].same_connection && exchanges[step].on_new_connection) return true;
  }
  return false;
}

}  // namespace jrpcheck::run
