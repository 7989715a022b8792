// The framing `lines`.
#include "fuzz/targets/framing_promises.hpp"
#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view stream = fuzz::text_of(bytes, size);
  fuzz::check_frames(wire::make_lines, stream);
  // A message of this framing is one line, and blank lines are none.
  const std::string_view line = stream.substr(0, stream.find_first_of("\r\n"));
  if (line.find_first_not_of(" \t") != std::string_view::npos) {
    fuzz::check_round_trip(wire::make_lines, line);
  }
  return 0;
}
