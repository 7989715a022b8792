#include "fuzz/pipelined_stream.hpp"

#include "session/incoming.hpp"

namespace jrpcheck::fuzz {
namespace {

std::size_t taken_in(const dialogue::Exchange& exchange, const dialogue::Transcript& aside) {
  return exchange.replies.size() + exchange.noise.size() + aside.events().size();
}

std::string in_fragments(const std::string& message, const Cut& cut,
                         session::FramedStream& stream) {
  std::string frames;
  for (const auto& [details, bytes] : fragments_of(message, cut)) {
    frames += stream.encode_frame(details, bytes);
  }
  return frames;
}

}  // namespace

std::string PipelinedStream::begin_alone(const corpus::Step& step, session::FramedStream& stream) {
  intake_.begin_stream();
  intake_.begin_case(next_id_);
  intake_.begin_step(session::outgoing(step.messages, control_.dialect));
  next_id_ = next_id_ < kLastFastControlId ? next_id_ + 1 : kFirstFastControlId;
  alone_ = {.step = &step,
            .control_id = intake_.next_control_id(),
            .received_before = stream.received(),
            .due = corpus::count_replies(step)};
  std::string bytes;
  for (const auto& message : step.messages) bytes += stream.encode(message.text());
  return bytes + stream.encode(control_.text(alone_.control_id));
}

Observed PipelinedStream::take_alone(session::FramedStream& stream, Deadline deadline,
                                     microseconds tail) {
  Observed observed;
  dialogue::Transcript aside;
  dialogue::Exchange& exchange = observed.exchange;
  auto& replies = exchange.replies;
  // Where answers are overtaken, those that are not due may be as well.
  const auto is_over = [&] {
    return exchange.control_answered && alone_.has_been_told() &&
           replies.size() >= alone_.due.least &&
           (!is_out_of_order_ || alone_.has_all(replies.size()));
  };
  while (!is_over()) {
    const auto frame = stream.receive(deadline);
    if (!frame || session::is_flood(alone_.received_before, stream.received())) break;
    const auto before = replies.size();
    if (intake_.take_in(*frame, alone_.control_id, exchange, aside)) {
      exchange.control_answered = true;
      // What is due and still missing has been overtaken, or will never come.
      if (alone_.has_been_told()) deadline = Deadline::earlier(deadline, Deadline::in(tail));
    } else if (exchange.control_answered && replies.size() > before) {
      is_out_of_order_ = true;
    } else if (alone_.stray &&
               session::IncomingSorter::answers(frame->payload, alone_.stray->next_control_id)) {
      alone_.stray->serves = true;
      deadline = Deadline::earlier(deadline, Deadline::in(tail));
    } else {
      ask_behind_stray(stream, deadline, exchange, aside);
    }
  }
  if (!alone_.has_been_told()) {
    exchange.control_answered = false;
  } else if (alone_.stray && !exchange.control_answered) {
    const auto& [event, reply, next, serves] = *alone_.stray;
    exchange.control_answered = true;
    intake_.give_to_control_call(event, aside);
    observed.events.push_back(aside.whole()[event]);
    if (reply) replies.erase(replies.begin() + static_cast<std::ptrdiff_t>(*reply));
  }
  if (!alone_.has_all(replies.size()) && intake_.holds_foreign()) {
    intake_.take_doubtful(exchange, aside);
  }
  intake_.take_held(exchange, aside);
  intake_.take_late_answers();
  return observed;
}

// Behind all that is due a Response with an id that nobody has sent may be the answer to the
// control call, under a wrong id. It is where that one stays unanswered and the next does not.
void PipelinedStream::ask_behind_stray(session::FramedStream& stream, Deadline deadline,
                                       const dialogue::Exchange& exchange,
                                       const dialogue::Transcript& aside) {
  if (alone_.stray || exchange.control_answered || aside.whole().empty()) return;
  const auto& last = aside.whole().back();
  const std::size_t replies = exchange.replies.size();
  const bool is_reply = last.direction == dialogue::Direction::received;
  const bool has_its_due = replies >= alone_.due.least + (is_reply ? 1 : 0);
  if (!has_its_due || !may_be_of_another_call(dialogue::message_of(last), alone_.step->messages))
    return;
  alone_.stray = {aside.whole().size() - 1, is_reply ? std::optional(replies - 1) : std::nullopt,
                  intake_.next_control_id()};
  ++next_id_;
  stream.send(stream.encode(control_.text(alone_.stray->next_control_id)), deadline);
}

bool PipelinedStream::send_all(const std::vector<const corpus::Step*>& steps,
                               std::optional<Cut> cut, session::FramedStream& stream,
                               Deadline deadline) {
  const auto count = static_cast<long long>(steps.size());
  if (next_id_ + count >= kLastFastControlId) next_id_ = kFirstFastControlId;
  sent_ = {next_id_, steps.size(), 0};
  std::string bytes;
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (const auto& message : steps[i]->messages) {
      const bool is_cut = cut && cut->message == i;
      const std::string framed = is_cut && cut->into == CutInto::fragments
                                     ? in_fragments(message.text(), *cut, stream)
                                     : stream.encode(message.text());
      if (is_cut) cuts = cuts_behind(bytes.size(), framed, message.text(), *cut);
      bytes += framed;
    }
    bytes += stream.encode(control_.text(next_id_++));
  }
  sent_.bytes = bytes.size();
  if (cuts.empty()) return stream.send(bytes, deadline);
  sent_.cut_in = cut->message;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::size_t end = i + 1 < cuts.size() ? cuts[i + 1] : bytes.size();
    sent_.rest.push_back(bytes.substr(cuts[i], end - cuts[i]));
  }
  return stream.send(bytes.substr(0, cuts.front()), deadline);
}

std::optional<std::vector<Observed>> PipelinedStream::take_all(session::FramedStream& stream,
                                                               Deadline deadline) {
  std::vector<Observed> all(sent_.messages);
  for (std::size_t i = 0; i < all.size(); ++i) {
    // What stands before the cut has been read: the answers to it have come.
    if (i == sent_.cut_in) {
      for (const auto& write : std::exchange(sent_.rest, {})) {
        if (!stream.send(write, deadline)) return std::nullopt;
      }
    }
    const long long id = sent_.first_id + static_cast<long long>(i);
    if (!listen(stream, id, deadline, all[i].exchange)) return std::nullopt;
    all[i].survival.survival = dialogue::Survival::alive;
  }
  return all;
}

// Takes in what comes before the answer to this control call. False where that does not come.
bool PipelinedStream::listen(session::FramedStream& stream, long long control_id, Deadline deadline,
                             dialogue::Exchange& exchange) {
  dialogue::Transcript aside;
  intake_.begin_stream();
  intake_.begin_case(control_id);
  intake_.next_control_id();
  const session::Volume before = stream.received();
  bool may_be_held = false;  // a line that the next one may complete
  while (const auto frame = stream.receive(deadline)) {
    if (session::is_flood(before, stream.received())) return false;
    const bool known =
        !may_be_held && frame->is_message() && control_answer_.matches(frame->payload, control_id);
    const auto taken = taken_in(exchange, aside);
    exchange.control_answered = known || intake_.take_in(*frame, control_id, exchange, aside);
    if (exchange.control_answered) {
      if (!known && !may_be_held) control_answer_.learn(frame->payload, control_id);
      intake_.take_held(exchange, aside);
      return true;
    }
    may_be_held = taken_in(exchange, aside) == taken;
  }
  return false;
}

}  // namespace jrpcheck::fuzz
