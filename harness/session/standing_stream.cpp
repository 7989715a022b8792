#include "session/standing_stream.hpp"

#include <algorithm>
#include <string_view>

#include "dialogue/id_key.hpp"

namespace jrpcheck::session {
namespace {

using dialogue::Direction;

constexpr std::string_view kEndpoint = "endpoint";

}  // namespace

void StandingStream::look() {
  if (!is_open()) return;
  connection_.listen(Deadline::in(microseconds(0)));
  has_ended_ = connection_.ended() || connection_.peek() != nullptr;
}

// Where messages go, the answer to the sentinel, and those to earlier calls.
bool StandingStream::takes_aside(const wire::ServerSentEvent& block,
                                 const dialogue::Message& message, const Taking& taking) {
  const auto keys = dialogue::id_keys_of(message);
  const auto is_in = [&](const std::set<std::string>& ids) {
    return !keys.empty() &&
           std::ranges::all_of(keys, [&](const auto& key) { return ids.contains(key); });
  };
  if (awaits_endpoint_ && block.type == kEndpoint) {
    endpoint_ = block.data.value_or("");
    taking.transcript.add(
        event(Direction::aside, block.block, std::string(dialogue::kEndpointNote)));
    return true;
  }
  if (listener_ == Listener::another) {
    taking.transcript.add(
        event(Direction::aside, block.block, std::string(dialogue::kOverheardNote)));
    return true;
  }
  if (is_of_another_type(block, message)) return false;
  if (!due_.sentinel.empty() && is_in({due_.sentinel})) {
    dialogue::Event answer = event(Direction::received, block.block, "answer to the control call");
    answer.message = message;
    answer.is_control = true;
    taking.transcript.add(std::move(answer));
    taking.exchange.control_answered = true;
    taking.exchange.control_answer = message.text();
    due_.sentinel.clear();
    return true;
  }
  const bool answers_earlier = !is_call(message) && is_in(earlier_.ids) && !is_in(due_.ids);
  // Where it is no stream for answers, a Response on it is nothing that anybody has asked for.
  if (!answers_earlier && (brings_answers() || is_call(message))) return false;
  // Comments, and what a stream may be taken up behind (WHATWG HTML §9.2.6).
  const bool says_nothing = message.text().empty();
  dialogue::Event came =
      event(answers_earlier || says_nothing ? Direction::aside : Direction::unasked, block.block,
            answers_earlier ? "answers an earlier call"
            : says_nothing  ? "says nothing"
                            : "came on the stream of a GET");
  came.message = message;
  // What a case has no room for is not kept for later either.
  if (!taking.transcript.add(std::move(came))) {
    taking.exchange.beyond_limit = dialogue::kMoreThanTaken;
  } else if (answers_earlier) {
    earlier_.late.push_back(message);
  }
  return true;
}

std::optional<std::string> StandingStream::await_endpoint(Deadline deadline,
                                                          dialogue::Transcript& transcript) {
  dialogue::Exchange none;
  awaits_endpoint_ = true;
  while (is_open() && !brings_answers() && !deadline.passed()) {
    // What came together with the head is there already.
    take_arrived({none, transcript});
    if (!brings_answers()) connection_.listen(deadline);
  }
  if (!is_open() || !brings_answers()) return std::nullopt;
  return endpoint_;
}

void StandingStream::overhear(Deadline deadline, dialogue::Transcript& transcript) {
  dialogue::Exchange none;
  do {
    connection_.listen(deadline);
    take_arrived({none, transcript});
  } while (is_open() && !deadline.passed());
}

void StandingStream::await(Due due, Deadline deadline, const Taking& taking) {
  expect(due.replies);
  due_ = std::move(due);
  connection_.listen(Deadline::in(microseconds(0)));
  for (;;) {
    const auto whole = connection_.receive(Deadline::in(microseconds(0)));
    take_in(whole ? whole->body : connection_.take_pending_body(), taking);
    if (whole) connection_.abandon();
    if (!taking.exchange.beyond_limit.empty()) {
      connection_.abandon();  // what else is on its way belongs to the same flood
      break;
    }
    if (awaited() == 0 && due_.sentinel.empty()) break;
    if (connection_.ended() || deadline.passed()) {
      taking.exchange.ending =
          connection_.ended() ? dialogue::Ending::closed : dialogue::Ending::timed_out;
      if (connection_.ended()) taking.exchange.detail = "the server ended the event stream";
      break;
    }
    connection_.listen(deadline);
  }
  earlier_.ids.insert(due_.ids.begin(), due_.ids.end());
}

}  // namespace jrpcheck::session
