#include "selftest/not_caught_yet.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace jrpcheck::selftest {
namespace {

constexpr std::string_view kNotCaughtYet[] = {
    "success-with-error-object-once-in-a-hundred",
    "success-with-empty-error-once-in-a-hundred",
    "success-with-false-error-once-in-a-hundred",
    "success-with-null-error-once-in-a-hundred",
    "success-with-result-renamed-once-in-a-hundred",
    "success-without-falsy-result-once-in-a-hundred",
    "success-with-another-id-once-in-a-hundred",
    "success-with-error-object-late",
    "success-with-empty-error-late",
    "success-with-false-error-late",
    "success-with-null-error-late",
    "success-with-result-renamed-late",
    "success-without-falsy-result-late",
    "success-with-another-id-late",
    "success-with-error-object-under-load",
    "success-with-empty-error-under-load",
    "success-with-false-error-under-load",
    "success-with-null-error-under-load",
    "success-with-result-renamed-under-load",
    "success-without-falsy-result-under-load",
    "success-with-another-id-under-load",
    "hangs-after-answers",
    "exits-after-answers",
    "closes-after-answers",
    "http-closes-after-answers",
    "http-hangs-after-ten-answers",
    "http-exits-after-fifty-answers",
    "dies-every-hundred-answers",
    "answers-swapped",
    "sleeps-on-unknown-methods",
    "http-two-responses",
    "http-endless-responses",
    "http-get-body-unread",
    "http-get-with-body-hangs",
    "params-null-fatal",
    "everything-fails-alike",
    "everything-succeeds-alike",
    "inherited-names-with-params-fatal",
    "fails-for-good",
    "white-space-fatal",
    "version-alone-fatal",
    "echo-depth-fatal",
    "asks-first",
    "used-ids-refused",
    "http-limited-by-429",
    "http-limited-by-503",
};

}  // namespace

bool is_not_caught_yet(const std::string& mutant) {
  return std::find(std::begin(kNotCaughtYet), std::end(kNotCaughtYet), mutant) !=
         std::end(kNotCaughtYet);
}

}  // namespace jrpcheck::selftest
