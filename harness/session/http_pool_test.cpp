#include "session/http_pool.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "session/http_fixture_for_testing.hpp"

namespace jrpcheck::session {
namespace http_pool_test {

using namespace jrpcheck::session::testing;

corpus::Step call(int id) {
  return corpus::step_sending(
      {R"({"jsonrpc":"2.0","method":"a","id":)" + std::to_string(id) + "}"});
}

class HttpPoolTest : public HttpTest {
 protected:
  // The server hangs on the call with one id, and closes the connection at that with another.
  void begin(const std::string& hangs_on = "none", const std::string& closes_at = "none") {
    script_.emplace([hangs_on, closes_at](ScriptedConnection& connection) {
      while (const auto request = connection.read()) {
        if (request->body.find("\"id\":" + closes_at) != std::string::npos) return;
        if (request->body.find("\"id\":" + hangs_on) != std::string::npos) continue;
        connection.send(with_length(answer_to(*request)));
      }
    });
    HttpSettings settings;
    settings.target = target_of(script_->url("/rpc"));
    settings.control = {"control", ""};
    peer_ = transport::make_server_peer(settings.target.place());
    pool_.emplace(peer_, std::move(settings), patience_);
    for (int id = 1; id <= 6; ++id) calls_.push_back(call(id));
  }

  bool send(std::size_t first, std::size_t last) {
    std::vector<const corpus::Step*> steps;
    for (std::size_t id = first; id <= last; ++id) steps.push_back(&calls_[id - 1]);
    return pool_->send_all(steps);
  }

  // The ids of what has come; "lost" where that is not known.
  std::string take() {
    const auto all = pool_->take_all();
    if (!all) return "lost";
    std::string ids;
    for (const auto& each : *all) {
      for (const auto& reply : each.replies) ids += json::write(*reply.value()->find("id"));
    }
    return ids;
  }

  std::optional<HttpPool> pool_;
  std::vector<corpus::Step> calls_;
};

TEST_F(HttpPoolTest, GroupsUnderWayTogetherAreTakenInTheirOrder) {
  begin();
  ASSERT_TRUE(send(1, 2));
  ASSERT_TRUE(send(3, 4));
  EXPECT_EQ(take(), "12");
  ASSERT_TRUE(send(5, 6));
  EXPECT_EQ(take(), "34");
  EXPECT_EQ(take(), "56");
}

TEST_F(HttpPoolTest, WhatHasNoResponseInTimeTakesNoOtherWithIt) {
  begin("2");
  patience_.note_first_answer();
  patience_.note_missing_answer(false);
  ASSERT_TRUE(send(1, 3));
  ASSERT_TRUE(send(4, 5));
  const auto all = pool_->take_all();
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 3U);
  EXPECT_EQ((*all)[0].ending, dialogue::Ending::settled);
  EXPECT_EQ((*all)[1].ending, dialogue::Ending::timed_out);
  EXPECT_EQ((*all)[2].ending, dialogue::Ending::settled);
  EXPECT_EQ(take(), "45");
  ASSERT_TRUE(send(6, 6));
  EXPECT_EQ(take(), "6");
}

TEST_F(HttpPoolTest, NoGroupIsSettledBehindOneWhoseConnectionEnds) {
  begin("none", "2");
  ASSERT_TRUE(send(1, 2));
  ASSERT_TRUE(send(3, 4));
  EXPECT_EQ(take(), "lost");
  EXPECT_EQ(take(), "lost");
  ASSERT_TRUE(send(5, 6));
  EXPECT_EQ(take(), "56");
}

}  // namespace http_pool_test
}  // namespace jrpcheck::session
