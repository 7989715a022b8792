#include "run/connections_served.hpp"

#include <algorithm>

namespace jrpcheck::run {
namespace {

bool has_served(const dialogue::Exchange& exchange) {
  return exchange.ending == dialogue::Ending::settled;
}

}  // namespace

bool serves_second_connection(
    const std::function<std::unique_ptr<session::Conversation>()>& converse,
    const session::ControlCall& control) {
  auto call = corpus::step_sending(control.text(1));
  const auto is_served = [&call](session::Conversation& conversation) {
    dialogue::Transcript aside;
    return conversation.open(aside) && has_served(conversation.exchange(call, aside));
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

}  // namespace jrpcheck::run
