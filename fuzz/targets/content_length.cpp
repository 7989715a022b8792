// The framing `content-length`.
#include "fuzz/targets/framing_promises.hpp"
#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view stream = fuzz::text_of(bytes, size);
  fuzz::check_frames(wire::make_content_length, stream);
  fuzz::check_round_trip(wire::make_content_length, stream);
  return 0;
}
