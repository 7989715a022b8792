// JSON-RPC over event streams (WHATWG HTML §9.2): a POST is answered by a stream of its own. At
// /sse the older way of the Model Context Protocol (2024-11-05) is spoken: a GET opens one stream,
// whose first event says where messages go by POST, and brings all that answers them.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "reference-impl/handler.hpp"
#include "reference-impl/transport_hooks.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

class EventStreamServer {
 public:
  /// `hooks` must outlive this.
  explicit EventStreamServer(const TransportHooks& hooks) : hooks_(hooks) {}

  /// Serves one connection until it has come to its end.
  void serve(const Handler& handler, int socket);

 private:
  HttpAnswer answer(const Handler& handler, const wire::HttpMessage& request);
  HttpAnswer answer_by_stream(const Handler& handler, const wire::HttpMessage& request);
  HttpAnswer resume(const wire::HttpMessage& request);
  HttpAnswer take_message(const Handler& handler, const wire::HttpMessage& request);
  std::string chunks_of(const std::vector<std::string>& events) const;
  /// Holds the older stream open until its client goes.
  void hold(const wire::HttpMessage& request, int socket);

  struct OlderStream {
    int socket = -1;
    int messages = 0;  // that came for it
  };

  const TransportHooks& hooks_;
  std::mutex mutex_;                               // guards what follows
  std::vector<std::vector<std::string>> streams_;  // that have been, where events have ids
  std::map<std::string, int> polls_;  // how often was asked for what follows an event, in vain
  std::map<std::string, OlderStream> sessions_;
  std::size_t sessions_begun_ = 0;
};

}  // namespace jrpcheck::reference
