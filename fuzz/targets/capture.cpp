// Recorded traffic of every format: what is read is written in our own, and reads the same again.
#include "traffic/capture.hpp"

#include <sstream>
#include <string>

#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;

namespace {

struct Heard {
  bool is_capture = false;
  std::string error;
  std::string written;  // as a capture of ours
  std::size_t messages = 0;
};

Heard hear(const std::string& text) {
  Heard heard;
  std::istringstream file(text);
  std::size_t begun = 0;
  std::string lines;
  const auto capture = traffic::read_capture(
      file, "fuzzed.jsonl", [&](const traffic::Capture&) { ++begun; },
      [&](dialogue::TrafficEvent event) {
        fuzz::promise(begun == 1, "what the file is comes before its messages, once");
        fuzz::promise(event.at >= std::chrono::microseconds(0), "nothing is before the beginning");
        // A fraction of a second need not be the same in binary.
        event.at = std::chrono::microseconds(0);
        if (event.kind == dialogue::TrafficEvent::Kind::message) ++heard.messages;
        lines += traffic::capture_line(event);
      });
  heard.is_capture = static_cast<bool>(capture);
  if (!capture) {
    heard.error = capture.error().message;
    return heard;
  }
  fuzz::promise(capture->messages == heard.messages, "the messages are counted");
  heard.written =
      traffic::capture_head(capture->binding->name, capture->transport, capture->target) + lines;
  return heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto heard = hear(std::string(fuzz::text_of(bytes, size)));
  if (!heard.is_capture) {
    fuzz::promise(heard.error.find("fuzzed.jsonl") != std::string::npos, "an error names the file",
                  heard.error);
    return 0;
  }
  const auto again = hear(heard.written);
  fuzz::promise(again.is_capture, "what is written can be read", again.error + heard.written);
  fuzz::promise(again.written == heard.written, "a capture that is read again is the same",
                heard.written + "\n---\n" + again.written);
  return 0;
}
