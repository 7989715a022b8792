#include "fuzz/targets/framing_promises.hpp"

#include <string>

#include "fuzz/targets/pieces.hpp"
#include "fuzz/targets/promise.hpp"
#include "wire/framing.hpp"
#include "wire/stream_for_testing.hpp"

namespace jrpcheck::fuzz {

using wire::FrameLimits;
using wire::MakeFraming;
using wire::testing::frames_of;
using wire::testing::whole;

namespace {

constexpr std::size_t kLengthBytes = 4;  // of length32

}  // namespace

void check_frames(MakeFraming kind, std::string_view stream, FrameLimits limits) {
  const auto at_once = frames_of(kind, {std::string(stream)}, limits);
  const std::string shown = whole(at_once);
  promise(shown == whole(frames_of(kind, cut(stream), limits)),
          "the frames of a stream do not depend on how it is cut", shown);

  std::size_t bytes = 0;
  std::size_t counted_twice = 0;
  for (const auto& frame : at_once) {
    // One head may offend twice, so violations are not counted. But one that shows a wrong length
    // may stand behind a message that took the length of the next one for its own end.
    if (frame.is_message()) bytes += frame.payload.size() + frame.head.size();
    if (frame.violation == wire::kWrongLength) counted_twice += kLengthBytes;
    promise(!frame.is_message() || frame.payload.size() <= limits.max_message_bytes,
            "no message is longer than the limit", shown);
  }
  promise(bytes <= stream.size() + counted_twice, "messages hold no more bytes than came", shown);
}

void check_frames(MakeFraming kind, std::string_view stream) {
  check_frames(kind, stream, {});
  check_frames(kind, stream, {10, 60});
}

void check_round_trip(MakeFraming kind, std::string_view payload) {
  const auto frames = frames_of(kind, {kind({})->encode(payload)});
  promise(frames.size() == 1 && frames.front().is_message() && frames.front().payload == payload,
          "an encoded message is read back as it was", whole(frames));
}

}  // namespace jrpcheck::fuzz
