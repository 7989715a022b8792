// For tests: an HTTP server on a free port of the loopback interface that does what a function
// says.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "json/parse.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session::testing {

/// One accepted connection, served by a thread of its own.
class ScriptedConnection {
 public:
  ScriptedConnection(int socket, int number) : socket_(socket), number_(number) {}

  /// Which connection of the server this is, from 1.
  int number() const { return number_; }

  /// The next request; nothing when the client has closed.
  std::optional<wire::HttpMessage> read() {
    for (;;) {
      if (auto request = reader_.next()) return request;
      char buffer[16384];
      const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) return std::nullopt;
      reader_.feed({buffer, static_cast<std::size_t>(count)});
    }
  }

  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  /// Serves nothing more and waits until the client, or the test, has had enough.
  void hang() {
    char buffer[65536];
    while (::recv(socket_, buffer, sizeof buffer, 0) > 0) {
    }
  }

 private:
  int socket_;
  int number_;
  wire::HttpReader reader_{wire::HttpReader::Role::server};
};

/// Serves each connection with `serve`, and closes it when that returns.
class ScriptedHttpServer {
 public:
  using Serve = std::function<void(ScriptedConnection&)>;

  explicit ScriptedHttpServer(Serve serve, std::uint16_t port = 0)
      : serve_(std::move(serve)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int on = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 64) != 0) {
      ::close(listener_);
      throw std::runtime_error("cannot listen");
    }
    ::getsockname(listener_, generic, &size);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept_all(); });
  }

  ~ScriptedHttpServer() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    ::close(listener_);
    {
      const std::lock_guard lock(mutex_);
      for (const auto& each : served_) {
        if (each.socket >= 0) ::shutdown(each.socket, SHUT_RDWR);
      }
    }
    for (auto& each : served_) each.thread.join();
  }
  ScriptedHttpServer(const ScriptedHttpServer&) = delete;
  ScriptedHttpServer& operator=(const ScriptedHttpServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url(const std::string& path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }

 private:
  struct Served {
    int socket;
    std::thread thread;
  };

  void accept_all() {
    for (int number = 1;; ++number) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) return;
      const std::lock_guard lock(mutex_);
      Served& served = served_.emplace_back(Served{socket, {}});
      served.thread = std::thread([this, &served, socket, number] {
        ScriptedConnection connection(socket, number);
        serve_(connection);
        const std::lock_guard closing(mutex_);
        ::close(socket);
        served.socket = -1;
      });
    }
  }

  Serve serve_;
  int listener_;
  std::uint16_t port_ = 0;
  std::thread acceptor_;
  std::mutex mutex_;  // guards served_
  std::list<Served> served_;
};

inline std::string with_length(std::string_view body, int status = 200) {
  return wire::http_response(
      status,
      {{"Content-Type", "application/json"}, {"Content-Length", std::to_string(body.size())}},
      body);
}

/// The answer to a call of an unknown method, with its id.
inline std::string answer_to(const wire::HttpMessage& request) {
  const auto parsed = json::parse(request.body);
  const json::Value* id = parsed ? parsed.value->find("id") : nullptr;
  return R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"unknown"},"id":)" +
         (id != nullptr ? json::write(*id) : "null") + "}";
}

inline void answer_each(ScriptedConnection& connection) {
  while (const auto request = connection.read()) {
    if (!connection.send(with_length(answer_to(*request)))) return;
  }
}

}  // namespace jrpcheck::session::testing
