#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

#include "testing/misbehaving_mode.hpp"

namespace misbehaving {
namespace {

struct HttpRequest {
  std::string method;
  bool chunked = false;
  std::string head;
  std::string body;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

class Connection {
 public:
  Connection(const Mode& mode, int socket) : mode_(mode), socket_(socket) {}
  ~Connection() { ::close(socket_); }

  void serve() {
    while (const auto request = read_request()) {
      if (!respond(*request) || mode_.habit == Habit::closes_after_each) return;
    }
  }

 private:
  bool read_more() {
    char piece[65536];
    const ssize_t count = ::recv(socket_, piece, sizeof piece, 0);
    if (count <= 0) return false;
    buffer_.append(piece, static_cast<std::size_t>(count));
    return true;
  }

  std::optional<HttpRequest> read_request() {
    std::size_t head_end = 0;
    while ((head_end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!read_more()) return std::nullopt;
    }
    HttpRequest request;
    request.method = buffer_.substr(0, buffer_.find(' '));
    request.head = buffer_.substr(0, head_end);
    const std::string head = lower(buffer_.substr(0, head_end));
    request.chunked = head.find("\r\ntransfer-encoding:") != std::string::npos;
    std::size_t length = 0;
    const std::string name = "\r\ncontent-length:";
    if (const auto at = head.find(name); at != std::string::npos) {
      length = std::strtoul(head.c_str() + at + name.size(), nullptr, 10);
    }
    buffer_.erase(0, head_end + 4);
    while (buffer_.size() < length) {
      if (!read_more()) return std::nullopt;
    }
    request.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
    return request;
  }

  // False when the connection is to be closed.
  bool respond(const HttpRequest& request) {
    if (mode_.habit == Habit::server_error) return send("500 Oops", "text/plain", "Oops\n");
    if (request.method != "POST") return send("405 Method Not Allowed", "", "");
    if (request.chunked) {
      send("411 Length Required", "", "");
      return false;
    }
    const Kind kind = kind_of(request.body);
    if (kind == Kind::not_json) {
      if (mode_.habit == Habit::dies_on_not_json) std::_Exit(3);
      if (mode_.habit == Habit::closes_on_not_json) return false;
    }
    if (kind == Kind::notification && mode_.habit == Habit::ignores_notifications) return true;
    Flaws flaws = mode_.flaws;
    if (mode_.habit == Habit::repeats_secrets) flaws.repeats = request.head + what_it_was_given();
    const std::string reply = reply_to(request.body, flaws);
    if (reply.empty()) return send("204 No Content", "", "");
    return send("200 OK", mode_.habit == Habit::wrong_type ? "text/plain" : "application/json",
                reply);
  }

  bool send(std::string_view status, std::string_view type, std::string_view body) {
    const bool last = mode_.habit == Habit::closes_after_each;
    std::string text = last ? "HTTP/1.0 " : "HTTP/1.1 ";
    text.append(status).append("\r\n");
    if (!type.empty()) text.append("Content-Type: ").append(type).append("\r\n");
    if (const char* cookie = std::getenv("SET_COOKIE")) {
      text.append("Set-Cookie: id=").append(cookie).append("; Path=/\r\n");
    }
    if (status.substr(0, 3) != "204") {
      text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
    }
    text.append("\r\n").append(body);
    const std::size_t most = mode_.habit == Habit::writes_in_pieces ? 7 : text.size();
    for (std::string_view rest = text; !rest.empty();) {
      const ssize_t count = ::send(socket_, rest.data(), std::min(most, rest.size()), MSG_NOSIGNAL);
      if (count <= 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  const Mode& mode_;
  int socket_;
  std::string buffer_;
};

}  // namespace

int serve_http(const Mode& mode, int port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener, generic, size) != 0 || ::listen(listener, 64) != 0 ||
      ::getsockname(listener, generic, &size) != 0) {
    std::cerr << "misbehaving-server: port " << port << " cannot be had" << std::endl;
    return 1;
  }
  std::cerr << "listening on http://127.0.0.1:" << ntohs(address.sin_port) << "/" << std::endl;
  const bool one_at_a_time =
      mode.habit == Habit::closes_after_each || mode.habit == Habit::one_at_a_time;
  for (;;) {
    const int socket = ::accept(listener, nullptr, nullptr);
    if (socket < 0) continue;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (one_at_a_time) {
      Connection(mode, socket).serve();
    } else {
      std::thread([&mode, socket] { Connection(mode, socket).serve(); }).detach();
    }
  }
}

}  // namespace misbehaving
