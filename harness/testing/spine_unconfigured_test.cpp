// Faults that hide from who knows nothing of a server: its framing, a method of known behaviour.
#include <gtest/gtest.h>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace spine_unconfigured_test {

struct Hidden {
  std::string fault;
  std::string charged;
  std::string door;     // the option of the reference server
  std::string framing;  // of a stream
};

void PrintTo(const Hidden& hidden, std::ostream* out) { *out << hidden.fault; }

Words target_of(const Hidden& hidden) {
  Words words;
  if (hidden.door != "--stdio") {
    const auto port = std::to_string(free_port());
    const std::string scheme = hidden.door == "--tcp"  ? "tcp"
                               : hidden.door == "--ws" ? "ws"
                                                       : "http";
    words = {scheme + "://127.0.0.1:" + port, "--"};
    words = words + Words{reference_program(), hidden.door, port};
  } else {
    words = {"--", reference_program(), "--stdio"};
  }
  if (!hidden.framing.empty()) words = words + Words{"--framing", hidden.framing};
  return words + Words{"--fault", hidden.fault};
}

class FaultWithoutConfiguration : public ::testing::TestWithParam<Hidden> {};

TEST_P(FaultWithoutConfiguration, IsChargedAllTheSame) {
  auto judgement = judge(Words{"--timeout", "1"} + target_of(GetParam()));
  EXPECT_EQ(judgement.program.exit_code, 1) << judgement.program.error;
  EXPECT_EQ(listed(judgement.failing()), GetParam().charged);
}

INSTANTIATE_TEST_SUITE_P(
    , FaultWithoutConfiguration,
    ::testing::Values(
        // In every success, so that no method proves what it does.
        Hidden{"success-left-unanswered", "res-always", "--stdio", ""},
        Hidden{"success-left-unanswered", "res-always", "--tcp", "content-length"},
        Hidden{"success-left-unanswered", "res-always", "--ws", ""},
        Hidden{"success-left-unanswered", "res-always", "--http", ""},
        Hidden{"http-length-too-large", "res-always", "--http", ""},
        Hidden{"sse-resumes-with-nothing", "res-always, sse-response-present", "--sse", ""},
        // In every call by which a framing is told.
        Hidden{"unknown-method-unanswered", "res-always", "--stdio", ""},
        Hidden{"unknown-method-unanswered", "res-always", "--tcp", ""},
        Hidden{"unknown-method-unanswered", "res-always", "--stdio", "content-length"},
        // With every method that the server has, and not with those that it has not.
        Hidden{"params-omitted-refused", "req-params-omitted", "--stdio", ""},
        // In every message, so that none is one by which a framing is told.
        Hidden{"reply-in-array", "res-object", "--stdio", "content-length"},
        Hidden{"reply-in-array", "res-object", "--tcp", "content-length"},
        Hidden{"reply-in-array", "res-object", "--tcp", "length32"},
        Hidden{"reply-byte-order-mark", "res-json", "--stdio", "content-length"},
        Hidden{"reply-byte-order-mark", "res-json", "--tcp", "lines"},
        Hidden{"header-left-out", "lsp-header-syntax", "--stdio", "content-length"},
        Hidden{"header-not-closed", "lsp-header-syntax, rob-survives", "--stdio",
               "content-length"}),
    [](const auto& param_info) {
      const Hidden& hidden = param_info.param;
      return test_name(hidden.fault + hidden.door + "-" + hidden.framing);
    });

}  // namespace spine_unconfigured_test
}  // namespace jrpcheck::testing
