#include "fuzz/finding_log.hpp"

#include <gtest/gtest.h>

#include "fuzz/company.hpp"

namespace jrpcheck::fuzz {
namespace finding_log_test {

TEST(FindingLog, BehindWhatEndsTheServerACallIsPlayed) {
  Finding finding;
  finding.sent = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})";
  finding.symptom = judge::Symptom::died_later;
  const auto played = case_playing(finding);
  ASSERT_EQ(played.steps.size(), 2U);
  EXPECT_EQ(played.steps.back().messages.front().text(), first_call());
  EXPECT_GT(played.steps.back().listen_first_ms, 0U);
  finding.symptom = judge::Symptom::wrong_code;
  EXPECT_EQ(case_playing(finding).steps.size(), 1U);
}

}  // namespace finding_log_test
}  // namespace jrpcheck::fuzz
