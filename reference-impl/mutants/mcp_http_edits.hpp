// The kinds of rewriting that mutants of the MCP server over HTTP are made of.
#pragma once

#include <functional>
#include <string>

#include "reference-impl/mutants/behaviour.hpp"
#include "wire/http1.hpp"
#include "wire/sse.hpp"

namespace jrpcheck::reference {

using HttpCondition = std::function<bool(const wire::HttpMessage& request)>;

/// The method that the body calls; empty where it calls none.
std::string mcp_method_of(const wire::HttpMessage& request);

/// A response as it is written, in the coding that its fields say.
std::string mcp_http_text_of(wire::HttpMessage response);

/// Edits the responses to POSTs: to all, or to those for which `applies`.
Behaviour mcp_http_response(std::function<void(wire::HttpMessage& response)> edit);
Behaviour mcp_http_response(HttpCondition applies,
                            std::function<void(wire::HttpMessage& response)> edit);
/// They have this status.
Behaviour mcp_http_status(HttpCondition applies, int status);
/// Answers requests for which `applies` by this status alone, without doing anything.
Behaviour mcp_http_refusing(int status, HttpCondition applies);
/// Edits the events of streams in answer to POSTs; false leaves one out.
Behaviour mcp_http_events(std::function<bool(wire::ServerSentEvent& event)> edit);

}  // namespace jrpcheck::reference
