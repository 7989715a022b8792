// Stored findings: what can be read is written and read the same, and what promote makes of it is a
// case.
#include "fuzz/finding.hpp"

#include "corpus/load_case.hpp"
#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;

namespace {

void check_promoted(const fuzz::Finding& finding) {
  const auto text = fuzz::promote(finding);
  if (!text) return;
  const auto cases = corpus::load_cases("promoted.json", *text);
  fuzz::promise(static_cast<bool>(cases), "what promote writes is a case",
                cases ? "" : cases.error().message + "\n" + *text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto finding = fuzz::finding_from("fuzzed.json", fuzz::text_of(bytes, size));
  if (!finding) {
    fuzz::promise(finding.error().message.find("fuzzed.json") != std::string::npos,
                  "an error names the file", finding.error().message);
    return 0;
  }
  const std::string written = fuzz::to_text(*finding);
  const auto again = fuzz::finding_from("written.json", written);
  fuzz::promise(static_cast<bool>(again), "what is written can be read",
                again ? "" : again.error().message + "\n" + written);
  fuzz::promise(fuzz::to_text(*again) == written, "a finding that is read again is the same",
                written);
  check_promoted(*finding);
  return 0;
}
