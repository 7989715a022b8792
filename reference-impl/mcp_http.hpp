// The Model Context Protocol over streamable HTTP without sockets: a request in, the bytes of its
// response out.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mcp_http_habits.hpp"
#include "reference-impl/mcp_server.hpp"
#include "reference-impl/transport_hooks.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

/// What a message is answered, in the order of sending: the Response last, if there is one.
using McpReplies = std::function<std::vector<std::string>(std::string_view message)>;

/// Why a request of 2026-07-28 is refused for its head; the error's code and what is wrong. The
/// head says again what the body says (streamable-http § Standard Request Headers).
struct McpRefusal {
  int code;
  std::string reason;
};
std::optional<McpRefusal> refusal_by_head(const wire::HttpMessage& request,
                                          const nlohmann::json& body, std::string_view version);

class McpHttp {
 public:
  McpHttp(const McpServer& server, McpHttpHabits habits) : server_(server), habits_(habits) {}

  HttpAnswer answer(const wire::HttpMessage& request, const McpReplies& replies);

 private:
  /// One stream that has been: the blocks of its events, whose ids say which stream and event.
  using Stream = std::vector<std::string>;
  struct Session {
    std::vector<Stream> streams;
  };

  HttpAnswer post(const wire::HttpMessage& request, const McpReplies& replies);
  HttpAnswer get(const wire::HttpMessage& request);
  HttpAnswer end_session(const wire::HttpMessage& request);
  /// The status that refuses a request that belongs to no session.
  std::optional<int> refusal_by_session(const wire::HttpMessage& request);
  HttpAnswer stream(const wire::HttpMessage& request, const std::string& session,
                    const std::vector<std::string>& replies);
  std::string begin_session();

  const McpServer& server_;
  const McpHttpHabits habits_;
  std::mutex mutex_;  // guards sessions_
  std::map<std::string, Session> sessions_;
};

}  // namespace jrpcheck::reference
