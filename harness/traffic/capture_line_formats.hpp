// Formats in which each line is one thing that passed: a row each.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "json/value.hpp"
#include "traffic/capture.hpp"

namespace jrpcheck::traffic {

/// What the head of a capture of ours names as its schema.
inline constexpr std::string_view kCaptureSchema = "jrpcheck-traffic-1";

/// One line of a capture.
struct CaptureLine {
  std::string_view text;
  const json::Value* value = nullptr;  ///< where it is a JSON Object
  std::string_view json;               ///< of that value
};

struct CaptureLineFormat {
  std::string_view name;
  std::string_view binding;
  bool is_from_the_beginning;
  bool (*recognises)(const CaptureLine& line);
  /// The event; nothing where the line says nothing of the traffic. An Error names what is wrong.
  Result<std::optional<dialogue::TrafficEvent>> (*read)(const CaptureLine& line);
  bool has_heads = false;  ///< of HTTP, as read_http_head reads them
};

std::span<const CaptureLineFormat> line_formats();

/// A head of HTTP in a line of a capture of ours; nothing where it holds none.
std::optional<Result<HttpHead>> read_http_head(const CaptureLine& line);

/// What the head of a capture of ours says; false where the line is none.
bool read_capture_head(const CaptureLine& line, Capture& capture);

/// A moment as RFC 3339 has it, or seconds, or milliseconds, since some beginning.
std::optional<microseconds> read_time(const json::Value* time, long long units_per_second);

}  // namespace jrpcheck::traffic
