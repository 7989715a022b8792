// The framing `concatenated`.
#include "fuzz/targets/framing_promises.hpp"
#include "fuzz/targets/promise.hpp"
#include "json/parse.hpp"

using namespace jrpcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view stream = fuzz::text_of(bytes, size);
  fuzz::check_frames(wire::make_concatenated, stream);
  // Where each message ends follows from the JSON alone.
  if (const auto parsed = json::parse(stream)) {
    const std::size_t begin = parsed.value->begin();
    fuzz::check_round_trip(wire::make_concatenated,
                           stream.substr(begin, parsed.value->end() - begin));
  }
  return 0;
}
