// Event streams.

#include "wire/sse.hpp"
#include "fuzz/targets/pieces.hpp"
#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;

namespace {

std::string everything_of(const std::vector<std::string>& pieces, wire::FrameLimits limits) {
  wire::SseReader reader(limits);
  std::string text;
  for (const auto& piece : pieces) {
    reader.feed(piece);
    while (const auto event = reader.next()) {
      fuzz::promise(event->block.size() <= limits.max_message_bytes + limits.max_head_bytes + 1,
                    "no event is longer than the limit", event->block);
      text += "<" + event->block + "|" + event->type + "|" + event->data.value_or("-") + "|" +
              event->id.value_or("-") + "|" + event->retry.value_or("-") + event->violation + ">";
    }
  }
  return text + reader.unfinished();
}

void check_cuts(std::string_view stream, wire::FrameLimits limits) {
  const std::string at_once = everything_of({std::string(stream)}, limits);
  fuzz::promise(at_once == everything_of(fuzz::cut(stream), limits),
                "the events of a stream do not depend on how it is cut", at_once);
}

// Read, written and read again an event says the same.
void check_round_trip(std::string_view stream) {
  wire::SseReader reader;
  reader.feed(stream);
  while (const auto event = reader.next()) {
    if (event->is_empty()) continue;
    wire::SseReader again;
    again.feed(event_text(*event));
    const auto same = again.next();
    fuzz::promise(same && same->data == event->data && same->type == event->type &&
                      same->id == event->id && same->retry == event->retry,
                  "an event that is written again reads the same", event->block);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view stream = fuzz::text_of(bytes, size);
  check_cuts(stream, {});
  check_cuts(stream, {10, 20});
  check_round_trip(stream);
  return 0;
}
