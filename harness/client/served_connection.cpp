#include "client/served_connection.hpp"

#include <utility>

#include "client/drain.hpp"

namespace jrpcheck::client {
namespace {

using dialogue::Side;

constexpr milliseconds kLookAtClient{20};
// A client that makes its calls together has made them by then.
constexpr int kLooksForTheOthers = 20;
constexpr std::chrono::seconds kForWriting{5};
constexpr milliseconds kMoment{100};
constexpr std::size_t kMostBytesNoted = 256U << 20;

}  // namespace

void TrialState::note(dialogue::TrafficEvent event) {
  const bool is_end = event.kind == dialogue::TrafficEvent::Kind::closed;
  if (is_killed && event.side == Side::client && !is_end) return;
  const std::lock_guard lock(mutex);
  noted += sizeof event + event.message.text().size();
  is_flooded = noted > kMostBytesNoted;
  if (!is_flooded) traffic.push_back(std::move(event));
}

bool TrialState::write(transport::ByteStream& stream, std::string_view bytes, std::string& early) {
  const Deadline deadline = Deadline::in(kForWriting);
  while (!bytes.empty()) {
    const auto done = stream.transfer(bytes, early, deadline);
    bytes.remove_prefix(done.written);
    if (done.broken || done.timed_out || is_stopped) return false;
    // Who has ended its own direction may still read.
    if (done.ended && done.written == 0) return false;
  }
  last_activity = Clock::now();
  return true;
}

void TrialState::take_a_moment(transport::ByteStream& stream, std::string& early) const {
  const Deadline deadline = Deadline::in(kMoment);
  bool goes_on = true;
  while (goes_on && !is_stopped && !deadline.passed()) {
    const auto done = stream.transfer({}, early, deadline);
    goes_on = !done.ended && !done.broken;
  }
}

ServedConnection::ServedConnection(const Door& door, Respondent& respondent, TrialState& state,
                                   transport::ByteStream& stream, std::uint32_t number,
                                   microseconds for_close)
    : door_(door),
      respondent_(respondent),
      state_(state),
      stream_(stream),
      number_(number),
      for_close_(for_close),
      connection_(door.open()) {
  traffic::TapSink sink;
  sink.traffic = [this](dialogue::TrafficEvent event) { state_.note(std::move(event)); };
  tap_ = door_.takes_framings() ? traffic::make_stream_tap(nullptr, true, number, sink)
                                : traffic::make_http_tap(number, sink);
}

void ServedConnection::run() {
  const After after = serve();
  hear(std::exchange(early_, {}));
  if (after == After::is_reset) return;
  if (!ending_) {
    ending_ = drain(stream_, state_.is_stopped ? kForTheRest : kForTheirEnd,
                    [this](std::string_view in) { hear(in); });
  }
  // What stands last of a client that the server has left may be cut off.
  if (ending_ && after == After::is_left) tap_->close(Side::client, state_.now(), *ending_);
}

ServedConnection::After ServedConnection::serve() {
  int quiet = 0;
  while (!state_.is_stopped) {
    std::string in;
    const auto done = stream_.transfer({}, in, Deadline::in(kLookAtClient));
    if (!in.empty()) {
      quiet = 0;
      if (const After after = take(std::move(in)); after != After::goes_on) return after;
    }
    if (done.ended) ending_ = end_told_by(done);
    if (done.ended || connection_->is_over()) return After::is_left;
    if (connection_->is_leaving() && Clock::now() > leaves_at_) return After::is_left;
    if (++quiet != kLooksForTheOthers) continue;
    const auto held = respondent_.give_up_waiting(number_);
    if (!held) continue;
    if (const After after = send(*held); after != After::goes_on) return after;
  }
  return After::is_left;
}

ServedConnection::After ServedConnection::take(std::string in) {
  while (!in.empty()) {
    state_.last_activity = Clock::now();
    const auto messages = note_heard(in);
    if (const auto owed = connection_->owed(); !owed.empty() && !write(owed)) return After::is_left;
    for (const auto& each : messages) {
      auto answer = respondent_.take(each, number_);
      if (!answer && door_.pairs_replies()) answer = Answer{{}, false, 202, ""};
      if (!answer) continue;
      if (const After after = send(*answer); after != After::goes_on) return after;
    }
    in = std::exchange(early_, {});
  }
  return After::goes_on;
}

ServedConnection::After ServedConnection::send(const Answer& answer) {
  if (answer.is_withheld) return After::goes_on;
  for (const auto& each : connection_->encode(answer)) {
    if (!write(each)) return After::is_left;
    if (answer.has_pauses) state_.take_a_moment(stream_, early_);
  }
  // Who has said Close waits for that of the other (RFC 6455 §7.1.1).
  if (connection_->is_leaving()) {
    leaves_at_ = Clock::now() + for_close_;
    return After::goes_on;
  }
  if (answer.then.empty()) return After::goes_on;
  if (answer.then != "reset") return After::is_ended;
  stream_.reset();
  return After::is_reset;
}

bool ServedConnection::write(std::string_view bytes) {
  tap_->feed(Side::server, bytes, state_.now());
  return state_.write(stream_, bytes, early_);
}

void ServedConnection::hear(std::string_view in) {
  if (in.empty()) return;
  for (const auto& each : note_heard(in)) respondent_.hear(each);
}

std::vector<std::string> ServedConnection::note_heard(std::string_view in) {
  state_.is_met = true;
  if (in.find('\n') != in.npos) state_.has_line_feed = true;
  tap_->feed(Side::client, in, state_.now());
  auto messages = connection_->feed(in);
  for (const auto& each : connection_->controls()) respondent_.hear_control(each, number_);
  return messages;
}

}  // namespace jrpcheck::client
