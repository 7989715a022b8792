#include "session/framed_stream.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::session {
namespace {

// The rest of what is cut leaves all the same where what came first is not answered.
constexpr milliseconds kForAnswers{1000};

// Beyond what cases ask for by orders of magnitude. Both are needed: one message may be large, and
// a frame of two bytes costs a hundred times as much memory.
constexpr Volume kFlood{16U << 20, 10'000};

constexpr std::size_t kFirstBytes = 4096;
constexpr std::size_t kMostOwed = 64U << 10;
constexpr milliseconds kBehindClose{250};

}  // namespace

bool is_flood(const Volume& before, const Volume& now) {
  return now.bytes - before.bytes > kFlood.bytes || now.frames - before.frames > kFlood.frames;
}

transport::Transfer FramedStream::transfer(std::string_view out, Deadline deadline) {
  std::string in;
  const bool pays = out.empty() && !owed_.empty() && !is_within_message_;
  auto done = stream_->transfer(pays ? owed_ : out, in, deadline);
  if (pays) owed_.erase(0, std::exchange(done.written, 0));
  take_in(in);
  if (done.broken) broken_ = true;
  if (done.ended && !ended_) {
    ended_ = true;
    reset_ = done.reset;
    // A reset may have cut off what was under way (RFC 9293 §3.10.7.4).
    if (!reset_) end_of_input();
  }
  return done;
}

void FramedStream::end_of_input() {
  framing_->end_of_input();
  take_frames();
}

void FramedStream::take_in(std::string_view bytes) {
  received_.bytes += bytes.size();
  if (first_bytes_.size() < kFirstBytes) {
    first_bytes_ += bytes.substr(0, kFirstBytes - first_bytes_.size());
  }
  framing_->feed(bytes);
  take_frames();
  if (!framing_->is_closed() || ended_) return;
  // The peer waits for no more than this (RFC 6455 §7.1.1).
  const std::string last = std::exchange(owed_, {});
  take_in_behind_close(last, Deadline::in(has_said_farewell_ ? kBehindClose : microseconds(0)));
  ended_ = true;
}

// Who answers our Close ends the connection at once, and says nothing more. Who has closed first
// may wait for our end: of that what has come already is read.
void FramedStream::take_in_behind_close(std::string_view last, Deadline deadline) {
  const Volume before = received_;
  is_held_open_ = has_said_farewell_;
  for (;;) {
    std::string in;
    const auto done = stream_->transfer(last, in, deadline);
    last.remove_prefix(done.written);
    received_.bytes += in.size();
    framing_->feed(in);
    take_frames();
    if (done.ended || done.broken) is_held_open_ = false;
    if (done.ended || done.broken || done.timed_out || deadline.passed()) return;
    if (is_flood(before, received_)) return;
  }
}

bool FramedStream::is_held_open(Deadline deadline) {
  if (is_held_open_) take_in_behind_close({}, deadline);
  return is_held_open_;
}

void FramedStream::take_frames() {
  while (auto frame = framing_->next()) {
    ++received_.frames;
    if (!disowned_.empty() && !frame->is_message() && frame->payload.starts_with(disowned_)) {
      disowned_.clear();
      continue;
    }
    frames_.push_back(*std::move(frame));
  }
  // Of several pings only the last one need be answered (RFC 6455 §5.5.3), and a peer that sends
  // without end may take nothing.
  const std::string owed = framing_->owed();
  if (owed_.size() < kMostOwed) owed_ += owed;
}

std::optional<wire::Frame> FramedStream::take_frame() {
  if (frames_.empty()) return std::nullopt;
  wire::Frame frame = std::move(frames_.front());
  frames_.pop_front();
  return frame;
}

bool FramedStream::send(std::string_view bytes, Deadline deadline) {
  const Volume before = received_;
  // What the codec owes stands between messages, never within one.
  while (!owed_.empty() && !is_within_message_ && is_writable() && !ended_ &&
         !is_flood(before, received_)) {
    if (transfer({}, deadline).timed_out || deadline.passed()) break;
  }
  while (!bytes.empty() && is_writable() && !ended_ && !is_flood(before, received_)) {
    const auto done = transfer(bytes, deadline);
    bytes.remove_prefix(done.written);
    // Asked besides, because a peer that never stops sending never lets a transfer time out.
    if (done.timed_out || deadline.passed()) break;
  }
  return bytes.empty();
}

bool FramedStream::send_in_pieces(std::string_view bytes, const Pieces& pieces, Deadline deadline) {
  const std::size_t answered = received_.frames + pieces.after_frames;
  std::size_t begin = 0;
  for (const std::size_t end : cut_offsets(bytes.size(), pieces.every, pieces.offsets)) {
    if (!send(bytes.substr(begin, end - begin), deadline)) return false;
    begin = end;
    is_within_message_ = true;
    if (pieces.offsets.empty()) continue;
    if (received_.frames < answered) {
      await_frames(answered, Deadline::earlier(Deadline::in(kForAnswers), deadline));
    } else {
      listen(Deadline::earlier(Deadline::in(pieces.apart), deadline));
    }
  }
  const bool is_sent = send(bytes.substr(begin), deadline);
  is_within_message_ = !is_sent;
  return is_sent;
}

void FramedStream::await_frames(std::size_t total, Deadline deadline) {
  while (received_.frames < total && !ended_ && !deadline.passed()) {
    if (transfer({}, deadline).timed_out) return;
  }
}

void FramedStream::listen(Deadline deadline) {
  const Volume before = received_;
  while (!ended_ && !deadline.passed() && !is_flood(before, received_)) {
    if (transfer({}, deadline).timed_out) return;
  }
}

void FramedStream::close_write() {
  closed_ = true;
  stream_->close_write();
}

std::optional<wire::Frame> FramedStream::receive(Deadline deadline) {
  // The deadline is asked before each read, because a peer that never stops sending is always
  // readable.
  while (frames_.empty() && !ended_ && !deadline.passed()) {
    if (transfer({}, deadline).timed_out) break;
  }
  return take_frame();
}

std::optional<wire::Frame> FramedStream::receive_some(Deadline deadline) {
  if (frames_.empty() && !ended_ && !deadline.passed()) transfer({}, deadline);
  return take_frame();
}

std::optional<wire::Frame> FramedStream::receive_arrived() {
  if (frames_.empty() && !ended_) transfer({}, Deadline::in(microseconds(0)));
  return take_frame();
}

std::vector<std::size_t> cut_offsets(std::size_t size, std::size_t every,
                                     const std::vector<std::size_t>& offsets) {
  std::vector<std::size_t> cuts = offsets;
  for (std::size_t at = every; every > 0 && at < size; at += every) cuts.push_back(at);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  if (!cuts.empty() && cuts.front() == 0) cuts.erase(cuts.begin());
  while (!cuts.empty() && cuts.back() >= size) cuts.pop_back();
  return cuts;
}

}  // namespace jrpcheck::session
