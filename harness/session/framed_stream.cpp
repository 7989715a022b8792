#include "session/framed_stream.hpp"

#include <algorithm>

namespace jrpcheck::session {

void FramedStream::take_in(const transport::Transfer& done, std::string& in) {
  received_bytes_ += in.size();
  if (!in.empty()) framing_->feed(in);
  in.clear();
  if (done.broken) broken_ = true;
  if (done.ended && !ended_) {
    ended_ = true;
    framing_->end_of_input();
  }
}

void FramedStream::send(std::string_view bytes, Deadline deadline) {
  std::string in;
  while (!bytes.empty() && !broken_ && !ended_ && !closed_) {
    const auto done = stream_->transfer(bytes, in, deadline);
    bytes.remove_prefix(done.written);
    take_in(done, in);
    if (done.timed_out) return;
  }
}

void FramedStream::send_in_pieces(std::string_view bytes, std::size_t every,
                                  const std::vector<std::size_t>& offsets, Deadline deadline) {
  std::size_t begin = 0;
  for (const std::size_t end : cut_offsets(bytes.size(), every, offsets)) {
    send(bytes.substr(begin, end - begin), deadline);
    begin = end;
  }
  send(bytes.substr(begin), deadline);
}

void FramedStream::close_write() {
  closed_ = true;
  stream_->close_write();
}

std::optional<wire::Frame> FramedStream::receive(Deadline deadline) {
  std::string in;
  for (;;) {
    if (auto frame = framing_->next()) return frame;
    // Checked before reading, because a peer that never stops sending is always readable.
    if (ended_ || deadline.passed()) return std::nullopt;
    const auto done = stream_->transfer({}, in, deadline);
    take_in(done, in);
    if (done.timed_out) return framing_->next();
  }
}

std::vector<std::size_t> cut_offsets(std::size_t size, std::size_t every,
                                     const std::vector<std::size_t>& offsets) {
  std::vector<std::size_t> cuts = offsets;
  for (std::size_t at = every; every > 0 && at < size; at += every) cuts.push_back(at);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  while (!cuts.empty() && cuts.back() >= size) cuts.pop_back();
  return cuts;
}

}  // namespace jrpcheck::session
