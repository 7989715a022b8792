#include "fuzz/probe_capabilities.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "run/calibration_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::fuzz {
namespace probe_capabilities_test {

/// One server behind all conversations, which serves so many of them at a time, or one.
class SharedByAll : public run::FakeEndpoint {
 public:
  explicit SharedByAll(bool serves_several)
      : FakeEndpoint("lines", run::server_without_methods()), serves_several_(serves_several) {}

  std::unique_ptr<session::Conversation> converse() override {
    if (is_one_connection_shared) ++conversations_since;
    return FakeEndpoint::converse();
  }
  bool is_shared() const override { return true; }
  bool serves_several() override { return serves_several_; }
  void share_one_connection() override { is_one_connection_shared = true; }

  bool is_one_connection_shared = false;
  int conversations_since = 0;

 private:
  bool serves_several_;
};

bool is_probed(SharedByAll& endpoint) {
  session::Patience patience{milliseconds(5000)};
  const auto found =
      probe_capabilities(run::real_corpus(), run::Options(), endpoint, patience, false);
  return found && found->unanswered.empty() && found->traits.serves_batches;
}

TEST(Probing, GoesOnWithOneConnectionWhereAServerServesOneAtATime) {
  SharedByAll endpoint(false);
  EXPECT_TRUE(is_probed(endpoint));
  EXPECT_TRUE(endpoint.is_one_connection_shared);
  EXPECT_GE(endpoint.conversations_since, 1) << "the one that was open is none of those";
}

TEST(Probing, LeavesEachConversationItsConnectionWhereAServerServesSeveral) {
  SharedByAll endpoint(true);
  EXPECT_TRUE(is_probed(endpoint));
  EXPECT_FALSE(endpoint.is_one_connection_shared);
}

}  // namespace probe_capabilities_test
}  // namespace jrpcheck::fuzz
