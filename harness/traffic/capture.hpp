// Captures: traffic that was recorded, by jrpcheck or by others, read and written.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "traffic/tap.hpp"

namespace jrpcheck::traffic {

/// What a file is beside its messages.
struct Capture {
  std::string format;  ///< "HAR", for people
  const wire::Binding* binding = &wire::default_stream_binding();
  std::string transport = "capture";
  std::string target;  ///< who was recorded, where the file says it
  bool is_from_the_beginning = true;
  std::size_t messages = 0;
  /// Lines that are none of the format, and what is longer than is read of one message, were passed
  /// over: "line 7: not a JSON Object"; the first of them.
  std::vector<std::string> skipped;
  std::size_t skipped_count = 0;
  void pass_over(std::string what);
};

using HeadSink = std::function<void(const HttpHead&)>;
/// Told how messages travel on a connection, where that is not as the capture says of all.
using FramingSink = std::function<void(const wire::Binding&, std::size_t connection)>;

/// Reads a file of any format that is known, in one pass. `begin` is told of what it is before the
/// first message comes; `heads` of those of HTTP that it holds, each before what stands behind it.
/// An Error where it is none of them.
Result<Capture> read_capture(
    std::istream& file, const std::string& name, const std::function<void(const Capture&)>& begin,
    const Sink& sink, const HeadSink& heads = [](const HttpHead&) {},
    const FramingSink& framings = [](const wire::Binding&, std::size_t) {});

/// The names of the formats, for messages.
std::string capture_formats();

/// What stands first in a capture of ours.
std::string capture_head(std::string_view binding, std::string_view transport,
                         std::string_view target);
/// How messages travel on one connection, where another one was before it.
std::string capture_framing(std::string_view binding, std::size_t connection);
/// One event as a line of JSON with its line feed.
std::string capture_line(const dialogue::TrafficEvent& event);
/// A head as such a line, with all its fields.
std::string capture_line(const HttpHead& head);
/// Whether a recording holds that field: a rule looks at it, and it lets nobody in.
bool is_recorded(std::string_view field);

}  // namespace jrpcheck::traffic
