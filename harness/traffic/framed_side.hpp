// One direction of a stream in a framing: frames become traffic.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "dialogue/traffic.hpp"
#include "traffic/tap.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::traffic {

/// What a message may take in memory while it passes.
inline constexpr wire::FrameLimits kTapLimits{.max_message_bytes = 16U << 20};

/// Whether lines that hold no message are told, as noise: framings skip them.
enum class EmptyLines { skipped, told };

class FramedSide {
 public:
  FramedSide(dialogue::Side side, std::size_t connection, std::unique_ptr<wire::Framing> framing,
             EmptyLines empty_lines = EmptyLines::skipped)
      : side_(side),
        connection_(connection),
        framing_(std::move(framing)),
        empty_lines_(empty_lines) {}

  void feed(std::string_view bytes, microseconds at, const Sink& sink);
  void end(microseconds at, const Sink& sink);

 private:
  void drain(microseconds at, const Sink& sink);
  void note_line(std::string_view piece);
  void tell_empty_line(microseconds at, const Sink& sink);

  dialogue::Side side_;
  std::size_t connection_;
  std::unique_ptr<wire::Framing> framing_;
  EmptyLines empty_lines_;
  std::string blanks_;           // of the line at hand, as long as nothing else stands there
  bool is_line_in_use_ = false;  // something else does
};

}  // namespace jrpcheck::traffic
