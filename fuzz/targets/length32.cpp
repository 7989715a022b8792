// The framing `length32`.
#include "fuzz/targets/framing_promises.hpp"
#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view stream = fuzz::text_of(bytes, size);
  fuzz::check_frames(wire::make_length32, stream);
  // Zeros behind a value, which no JSON text holds, are taken for the length of a further message.
  if (stream.find('\0') == std::string_view::npos) {
    fuzz::check_round_trip(wire::make_length32, stream);
  }
  return 0;
}
