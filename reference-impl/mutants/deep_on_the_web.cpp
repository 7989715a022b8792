// Deep faults of HTTP, event streams and WebSocket, as real servers had them.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/deep.hpp"
#include "reference-impl/mutants/rewrites_of_frames.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kMostStreamsKept = 2000;
// RFC 6455 §5.2: what the second byte of a frame says of its length.
constexpr unsigned kLengthBits = 0x7F;
constexpr unsigned kLengthIn16Bits = 126;
constexpr unsigned kLengthIn64Bits = 127;

Behaviour cutting_bodies_at(std::string mark) {
  return edit_http_request([mark = std::move(mark)](wire::HttpMessage& request) {
    request.body.erase(std::min(request.body.find(mark), request.body.size()));
  });
}

void drop_byte_order_marks(std::vector<std::string>& events) {
  for (auto& each : events) each = replaced(each, "\xEF\xBB\xBF", "");
}

Behaviour keeping_streams() {
  const auto kept = std::make_shared<std::atomic<std::size_t>>(0);
  return {.events = {.edit = [kept](std::vector<std::string>& events) {
            if (++*kept > kMostStreamsKept) events.clear();
          }}};
}

unsigned byte_at(std::string_view frame, std::size_t at) {
  return static_cast<unsigned char>(frame[at]);
}

/// Whether the 16 bits of a length say 127, which in the 7 bits before them stands for 64.
bool has_length_like_a_mark(std::string_view frame) {
  constexpr std::size_t kHead = 4;
  return frame.size() >= kHead && (byte_at(frame, 1) & kLengthBits) == kLengthIn16Bits &&
         byte_at(frame, 2) == 0 && byte_at(frame, 3) == kLengthIn64Bits;
}

/// Waits, from such a length on, for what the next 64 bits announce.
Behaviour reading_lengths_twice() {
  return {.websocket = {.reading = []() -> ChangeBytes {
            return [waits = false](std::string_view bytes) mutable {
              waits = waits || has_length_like_a_mark(bytes);
              return waits ? std::string() : std::string(bytes);
            };
          }}};
}

bool is_first_fragment_of_a_batch(std::string_view frame) {
  constexpr std::size_t kKeyBytes = 4;
  if (frame.size() < 2 || byte_at(frame, 0) != wire::kText) return false;
  std::size_t key = 2;
  if ((byte_at(frame, 1) & kLengthBits) == kLengthIn16Bits) key += sizeof(std::uint16_t);
  if ((byte_at(frame, 1) & kLengthBits) == kLengthIn64Bits) key += sizeof(std::uint64_t);
  const std::size_t payload = key + kKeyBytes;
  return frame.size() > payload && (byte_at(frame, key) ^ byte_at(frame, payload)) == '[';
}

void end_batch_with_first_fragment(std::string& frame) {
  constexpr unsigned kFin = 0x80;
  if (is_first_fragment_of_a_batch(frame)) frame.front() = static_cast<char>(kFin | wire::kText);
}

}  // namespace

std::span<const Mutant> deep_faults_on_the_web() {
  static const Mutant all[] = {
      {"deep-body-cut-at-an-ampersand", breaks("err-code-invalid").wherever_it_strikes(), kHttp,
       "A body is read as a form: what follows an ampersand is lost.", cutting_bodies_at("&")},
      {"deep-body-cut-at-an-empty-line", breaks("json-whitespace").wherever_it_strikes(), kHttp,
       "Heads are told from bodies by empty lines: what follows another in the body is lost.",
       cutting_bodies_at("\n\n")},
      {"deep-mark-dropped-from-an-event", breaks("id-string-exact").wherever_it_strikes(), kSse,
       "Each piece of a stream is decoded alone: U+FEFF is dropped wherever it stands.",
       Behaviour{.events = {.edit = drop_byte_order_marks}}},
      {"deep-streams-used-up", breaks("sse-response-present").wherever_it_strikes(), kSse,
       "Streams that have ended are kept: behind two thousand of them no stream has its Response.",
       keeping_streams},
      {"deep-length-like-a-mark", breaks("ws-not-deaf").wherever_it_strikes(), kWs,
       "An else is missing: a message of 127 bytes, whose length stands in 16 bits, is taken for "
       "one whose length stands in 64.",
       reading_lengths_twice()},
      {"deep-batch-in-fragments", breaks("ws-fragments").wherever_it_strikes(), kWs,
       "A batch is served apart from a call: its first fragment is taken for all of it.",
       changing_head(end_batch_with_first_fragment)},
  };
  return all;
}

}  // namespace jrpcheck::reference
