#include "session/http_connection.hpp"

#include <string>

namespace jrpcheck::session {

void HttpConnection::begin_exchange() {
  ++exchanges_;
  received_ = 0;
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
      if (done.broken || done.timed_out) return;
    }
  }
}

std::optional<wire::HttpMessage> HttpConnection::receive(Deadline deadline) {
  for (;;) {
    if (auto response = reader_.next()) {
      if (!response->keep_alive || !response->violation.empty()) ended_ = true;
      return response;
    }
    // Checked before reading, because a peer that never stops sending is always readable.
    if (ended_ || deadline.passed()) return std::nullopt;
    std::string in;
    const auto done = stream_->transfer({}, in, deadline);
    take_in(done, in);
  }
}

}  // namespace jrpcheck::session
