#include "testing/stranger_for_testing.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace jrpcheck::testing {
namespace {

bool receive_more(int socket, std::string& text) {
  char bytes[4096];
  const auto count = ::recv(socket, bytes, sizeof bytes, 0);
  if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
  return count > 0;
}

HttpCall receive_call(int socket) {
  std::string text;
  auto head_end = std::string::npos;
  while (head_end == std::string::npos && receive_more(socket, text)) {
    head_end = text.find("\r\n\r\n");
  }
  if (head_end == std::string::npos) return {};
  const auto length_at = text.find("Content-Length: ");
  const std::size_t length =
      length_at < head_end ? std::strtoul(text.c_str() + length_at + 16, nullptr, 10) : 0;
  while (text.size() < head_end + 4 + length && receive_more(socket, text)) {
  }
  const auto path = text.find(' ') + 1;
  return {text.substr(path, text.find(' ', path) - path), text.substr(head_end + 4),
          text.substr(0, head_end)};
}

}  // namespace

StrangerAtPort::StrangerAtPort(Serve serve) : serve_(std::move(serve)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool listens =
      ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::listen(listener_, 64) == 0 &&
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (!listens) std::abort();
  port_ = ntohs(address.sin_port);
  acceptor_ = std::jthread([this] { accept_all(); });
}

StrangerAtPort StrangerAtPort::over_http(const std::function<HttpReply(const HttpCall&)>& answer) {
  return StrangerAtPort([answer](int socket) {
    const HttpReply reply = answer(receive_call(socket));
    const std::string text =
        "HTTP/1.1 " + std::to_string(reply.status) + " X\r\n" + reply.fields +
        "Connection: close\r\nContent-Length: " + std::to_string(reply.body.size()) + "\r\n\r\n" +
        reply.body;
    ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
  });
}

StrangerAtPort::~StrangerAtPort() {
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  connections_.clear();
  ::close(listener_);
}

void StrangerAtPort::accept_all() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    connections_.emplace_back([this, socket] {
      serve_(socket);
      ::shutdown(socket, SHUT_WR);
      std::string rest;
      while (receive_more(socket, rest)) {
      }
      ::close(socket);
    });
  }
}

}  // namespace jrpcheck::testing
