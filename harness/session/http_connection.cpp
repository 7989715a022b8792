#include "session/http_connection.hpp"

#include <string>
#include <utility>

#include "base/utf8.hpp"
#include "session/framed_stream.hpp"

namespace jrpcheck::session {
namespace {

// A server may answer before it has read the whole request. One that sends more than this meanwhile
// will not be stopped by reading on: the memory is ours.
constexpr std::size_t kMaxUnread = 1U << 20;

// Of a message in pieces of one size so many arrive apart, and of the places where one ends within
// a character as many: more would show no more, and take long.
constexpr std::size_t kPiecesApart = 3;

// Behind these bytes what follows is sent later.
std::vector<std::size_t> ends_of_pieces_apart(std::string_view bytes, std::size_t body,
                                              std::size_t every) {
  std::vector<std::size_t> ends = {body};
  std::size_t within_characters = 0;
  for (std::size_t end = body + every; end < bytes.size(); end += every) {
    const bool is_early = ends.size() <= kPiecesApart;
    const bool is_within = is_continuation(bytes[end]) && within_characters < kPiecesApart;
    if (is_within) ++within_characters;
    if (is_early || is_within) ends.push_back(end);
  }
  return ends;
}

}  // namespace

bool HttpConnection::is_idle() {
  if (ended_) return false;
  std::string in;
  const auto done = stream_->transfer({}, in, Deadline::in(microseconds(0)));
  take_in(done, in);
  stray_ = stray_ || !in.empty() || reader_.mid_message() || has_response();
  return !ended_ && !stray_;
}

std::string HttpConnection::lost() const {
  if (announced_) return {};
  if (stray_) return "bytes that belong to no response followed the one before";
  return ended_ ? "the connection was closed, which the response before had not announced" : "";
}

void HttpConnection::take_in(const transport::Transfer& done, std::string_view in) {
  received_ += in.size();
  reader_.feed(in);
  if (!done.ended || ended_) return;
  ended_ = true;
  reader_.end_of_input();
}

void HttpConnection::send(std::string_view bytes, std::vector<std::size_t> cuts,
                          Deadline deadline) {
  std::size_t begin = 0;
  cuts.push_back(bytes.size());
  for (const std::size_t end : cuts) {
    while (begin < end && !ended_) {
      std::string in;
      const auto done = stream_->transfer(bytes.substr(begin, end - begin), in, deadline);
      begin += done.written;
      take_in(done, in);
      if (done.broken || done.timed_out || deadline.passed()) break;
      if (received_ > kMaxUnread) break;  // it has answered, whatever else we have to say
    }
    sent_all_ = begin >= end;
    if (!sent_all_) return;
  }
}

void HttpConnection::send(std::string_view bytes, const corpus::Step& step, microseconds apart,
                          Deadline deadline) {
  std::vector<std::size_t> offsets = step.write_at;
  const std::size_t body = bytes.find("\r\n\r\n") + 4;
  // What is cut in pieces of one size is the message: a head in pieces is another fault.
  if (step.write_every > 0) {
    const auto ends = ends_of_pieces_apart(bytes, body, step.write_every);
    offsets.insert(offsets.end(), ends.begin(), ends.end());
  } else if (step.write_after_head) {
    offsets.push_back(body);
  }
  std::size_t begin = 0;
  for (const std::size_t end : cut_offsets(bytes.size(), 0, offsets)) {
    send(bytes.substr(begin, end - begin), {}, deadline);
    if (!sent_all_) return;
    const Deadline until = Deadline::earlier(Deadline::in(apart), deadline);
    while (!ended_ && received_ == 0 && !until.passed()) listen(until);
    begin = end;
  }
  const std::string_view rest = bytes.substr(begin);
  send(rest, cut_offsets(rest.size(), step.write_every, {}), deadline);
}

void HttpConnection::listen(Deadline deadline) {
  std::string in;
  const auto done = stream_->transfer({}, in, deadline);
  take_in(done, in);
}

bool HttpConnection::has_response() {
  if (!next_) next_ = reader_.next();
  return next_.has_value();
}

std::optional<wire::HttpMessage> HttpConnection::receive(Deadline deadline) {
  // Checked before reading, because a peer that never stops sending is always readable.
  while (!has_response()) {
    if (ended_ || deadline.passed()) return std::nullopt;
    listen(deadline);
  }
  if (!next_->keep_alive || !next_->violation.empty()) ended_ = announced_ = true;
  return std::exchange(next_, std::nullopt);
}

}  // namespace jrpcheck::session
