// For tests: a peer that answers the request for WebSocket, each on a connection of its own.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session/stream_conversation.hpp"
#include "transport/peer.hpp"
#include "transport/target.hpp"

namespace jrpcheck::session::testing {

inline std::string refusal_of_handshake(const std::string& status, const std::string& body = "no") {
  return "HTTP/1.1 " + status + "\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}
inline const std::string kSwitch =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Accept: x\r\n\r\n";

/// Says one thing at the first request, and closes the connection unless it switches.
class HandshakeStream : public transport::ByteStream {
 public:
  explicit HandshakeStream(std::string answer) : answer_(std::move(answer)) {}

  transport::Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    transport::Transfer done;
    done.written = out.size();
    heard_ += out;
    const bool is_asked = heard_.find("\r\n\r\n") != std::string::npos;
    if (is_asked && !answer_.empty()) {
      is_open_ = answer_ == kSwitch;
      in += std::exchange(answer_, {});
      done.received = true;
    } else if (is_asked && !is_open_) {
      done.ended = true;
    } else if (out.empty()) {
      transport::wait_until(deadline);
      done.timed_out = true;
    }
    return done;
  }
  void close_write() override {}

 private:
  std::string answer_;
  std::string heard_;
  bool is_open_ = false;
};

/// These answers in order, the last of them for ever.
class HandshakePeer : public transport::Peer {
 public:
  explicit HandshakePeer(std::vector<std::string> answers) : answers_(std::move(answers)) {}

  Result<bool> start(Deadline) override { return true; }
  Result<transport::Connection> connect(Deadline) override {
    const auto next = connections < answers_.size() ? connections : answers_.size() - 1;
    ++connections;
    return transport::Connection{std::make_unique<HandshakeStream>(answers_[next])};
  }
  Result<bool> revive(transport::Generation, Deadline) override { return true; }
  transport::Generation generation() const override { return 0; }
  bool is_shared() const override { return true; }

  std::size_t connections = 0;

 private:
  std::vector<std::string> answers_;
};

inline UpgradeSettings upgrade_settings_for_testing() {
  return {.target = *transport::parse_target("ws://127.0.0.1:1/"),
          .extra_fields = {},
          .subprotocols = {}};
}

}  // namespace jrpcheck::session::testing
