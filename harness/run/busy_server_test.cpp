// Servers that serve one call at a time, or so many in a while, and say so to the others in
// JSON-RPC.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"
#include "run/run_for_testing.hpp"
#include "run/runner.hpp"
#include "session/http_script_for_testing.hpp"

namespace jrpcheck::run {
namespace busy_server_test {

using session::testing::ScriptedConnection;
using session::testing::ScriptedHttpServer;

class BusyServer : public GuardedTest {
 protected:
  static result::Run run_over_http(const FakeServer& answer, std::vector<std::string> select,
                                   int jobs) {
    const ScriptedHttpServer server([&](ScriptedConnection& connection) {
      while (const auto request = connection.read()) {
        const auto body = answer(request->body);
        connection.send(body ? session::testing::with_length(*body)
                             : wire::http_response(204, {}, ""));
      }
    });
    return run_on(server, std::move(select), jobs);
  }

  static result::Run run_on(const ScriptedHttpServer& server, std::vector<std::string> select,
                            int jobs) {
    Options options;
    options.target = *transport::parse_target(server.url());
    options.selection.select = std::move(select);
    options.jobs = jobs;
    NoProgress progress;
    auto run = run_corpus(corpus::corpus_for_testing(corpus::kDefaultProfile), options, *guardian_,
                          progress);
    EXPECT_EQ(run.unreached, "");
    return run;
  }
};

TEST_F(BusyServer, IsNoneThatAMessageHasDamaged) {
  const FakeServer serve = server_without_methods();
  const FakeServer refuse = answering([](const json::Value&) { return error_member(-32000); });
  std::mutex one_at_a_time;
  const auto answer = [&](const std::string& message) {
    const std::unique_lock lock(one_at_a_time, std::try_to_lock);
    if (!lock) return refuse(message);
    std::this_thread::sleep_for(milliseconds(2));  // so that calls meet
    return serve(message);
  };
  const auto run = run_over_http(answer, {"id/*", "json/*"}, 4);
  for (const auto& one : run.cases) {
    EXPECT_EQ(one.reason.find("answered every call in one way"), std::string::npos) << one.id;
    for (const auto& finding : one.findings) {
      EXPECT_NE(finding.requirement, "rob-survives") << one.id;
    }
  }
}

std::map<std::string, result::Verdict> verdicts_of(const result::Run& run) {
  std::map<std::string, result::Verdict> verdicts;
  for (const auto& one : run.cases) {
    if (!one.id.starts_with("dialogue/")) verdicts.emplace(one.id, one.verdict);
  }
  return verdicts;
}

TEST_F(BusyServer, ThatLimitsHowOftenItIsCalledIsJudgedByWhatItSaysToTheOtherCalls) {
  constexpr int kCallsInARow = 100;
  constexpr milliseconds kRest{300};
  const FakeServer serve = server_without_methods();
  const FakeServer refuse = answering([](const json::Value&) {
    return std::string(R"("error":{"code":-32000,"message":"Rate limit exceeded"})");
  });
  const auto expected = verdicts_of(run_over_http(serve, {"id/*", "json/*"}, 1));
  for (const int jobs : {1, 4}) {
    std::mutex mutex;
    bool is_limiting = false;  // when the first cases have come: what came before is no case
    int served = 0;
    int refused = 0;
    Deadline rest = Deadline::in(milliseconds(0));
    const auto answer = [&](const std::string& message) {
      const std::lock_guard lock(mutex);
      is_limiting = is_limiting || message.find("77e3") != message.npos;
      if (is_limiting && served == kCallsInARow) {
        rest = Deadline::in(kRest);
        served = 0;
      }
      if (is_limiting && !rest.passed()) {
        ++refused;
        return refuse(message);
      }
      served += is_limiting ? 1 : 0;
      return serve(message);
    };
    EXPECT_EQ(verdicts_of(run_over_http(answer, {"id/*", "json/*"}, jobs)), expected) << jobs;
    EXPECT_GT(refused, 0) << jobs;
  }
}

// Apache and nginx do, after a hundred or a thousand.
TEST_F(BusyServer, ThatServesSoManyCallsAConnectionIsAskedOnOneThatNoOtherCaseHasUsed) {
  const FakeServer serve = server_without_methods();
  for (const int most : {3, 4, 5}) {
    const ScriptedHttpServer server([&](ScriptedConnection& connection) {
      for (int served = 1; served <= most; ++served) {
        const auto request = connection.read();
        if (!request) return;
        const auto body = serve(request->body);
        wire::HttpFields fields = {{"Content-Type", "application/json"}};
        fields.emplace_back("Content-Length", std::to_string(body.value_or("").size()));
        if (served == most) fields.emplace_back("Connection", "close");
        connection.send(wire::http_response(200, fields, body.value_or("")));
      }
    });
    const auto run = run_on(server, {"http/call*"}, 1);
    for (const auto& one : run.cases) {
      if (one.id.starts_with("http/")) {
        EXPECT_EQ(one.verdict, result::Verdict::pass) << one.id << " with " << most;
      }
    }
  }
}

}  // namespace busy_server_test
}  // namespace jrpcheck::run
