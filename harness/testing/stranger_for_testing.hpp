// Servers on a port that are no JSON-RPC servers, or answer only some requests as one.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace jrpcheck::testing {

struct HttpCall {
  std::string path;
  std::string body;
  std::string head = {};  ///< the request line and the fields
};

struct HttpReply {
  int status = 200;
  std::string body;
  std::string fields = {};  ///< more header fields, each with its line end
};

/// Listens on a port of 127.0.0.1 as long as it lives, one thread for each connection.
class StrangerAtPort {
 public:
  /// What it does with a connection, which is closed behind it.
  using Serve = std::function<void(int socket)>;
  explicit StrangerAtPort(Serve serve);
  /// An HTTP server, one request to a connection.
  static StrangerAtPort over_http(const std::function<HttpReply(const HttpCall&)>& answer);
  StrangerAtPort(const StrangerAtPort&) = delete;
  StrangerAtPort& operator=(const StrangerAtPort&) = delete;
  ~StrangerAtPort();

  std::string url(const std::string& path = "/", const std::string& scheme = "http") const {
    return scheme + "://127.0.0.1:" + std::to_string(port_) + path;
  }

 private:
  void accept_all();

  Serve serve_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<std::jthread> connections_;
  std::jthread acceptor_;
};

}  // namespace jrpcheck::testing
