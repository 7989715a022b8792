// The Language Server Protocol, small and exemplary, as a Handler: one session.
#pragma once

#include <atomic>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/handler.hpp"

namespace jrpcheck::reference {

struct Request;

class LspServer final : public Handler {
 public:
  /// What exit does: it is told the exit code.
  using Leave = std::function<void(int code)>;

  explicit LspServer(Leave leave, Limits limits = {});

  std::optional<std::string> handle(std::string_view message) const override;
  const Limits& limits() const override { return limits_; }

 private:
  enum class Stage { begun, initialized, shut_down };

  nlohmann::json carry_out(const Request& request) const;

  Leave leave_;
  Limits limits_;
  mutable std::atomic<Stage> stage_ = Stage::begun;
};

}  // namespace jrpcheck::reference
