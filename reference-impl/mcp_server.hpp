// The Model Context Protocol, small and exemplary: one of its versions, as a Handler.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/handler.hpp"

namespace jrpcheck::reference {

struct Request;

/// The versions that it speaks, the oldest first.
const std::vector<std::string>& mcp_versions();

class McpServer final : public Handler {
 public:
  explicit McpServer(std::string version, Limits limits = {});

  std::optional<std::string> handle(std::string_view message) const override;
  const Limits& limits() const override { return limits_; }

  const std::string& version() const { return version_; }
  /// Whether the version stands at or behind this one.
  bool is_since(std::string_view version) const { return version_ >= version; }
  /// 2026-07-28 and later: each request says everything, and there is no handshake.
  bool is_stateless() const;

 private:
  nlohmann::json carry_out(const Request& request) const;

  std::string version_;
  Limits limits_;
};

}  // namespace jrpcheck::reference
