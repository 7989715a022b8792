// What each request of MCP 2026-07-28 says besides what it asks for: its _meta, and over HTTP the
// same again in its head, with the arguments that a tool has annotated for that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/client/session_carrier.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

class RequestMetadata {
 public:
  explicit RequestMetadata(std::string_view oddity) : oddity_(oddity) {}

  /// `last`: the number of the request before.
  SessionJson meta(const std::string& version, int last) const;
  /// The fields (basic/transports/streamable-http § Request Metadata).
  wire::HttpFields head(const SessionJson& message, const std::string& version,
                        const std::vector<SessionJson>& tools) const;

 private:
  bool is(std::string_view name) const { return oddity_ == "stateless-" + std::string(name); }
  void add_arguments(const SessionJson& params, const SessionJson& tool,
                     wire::HttpFields& fields) const;

  std::string_view oddity_;
};

SessionJson properties_of(const SessionJson& tool);
/// Whether its annotations are names of fields.
bool has_valid_annotations(const SessionJson& tool);

}  // namespace jrpcheck::reference
