// Baselines: what can be read is written, and reads the same again.
#include "result/baseline.hpp"

#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto baseline = result::read_baseline("fuzzed.json", fuzz::text_of(bytes, size));
  if (!baseline) {
    fuzz::promise(baseline.error().message.find("fuzzed.json") != std::string::npos,
                  "an error names the file", baseline.error().message);
    return 0;
  }
  const std::string written = result::write_baseline(*baseline);
  const auto again = result::read_baseline("written.json", written);
  fuzz::promise(static_cast<bool>(again), "what is written can be read",
                again ? "" : again.error().message + "\n" + written);
  fuzz::promise(result::write_baseline(*again) == written,
                "a baseline that is read again is the same", written);
  fuzz::promise(again->cases.size() == baseline->cases.size(), "no case is lost", written);
  return 0;
}
