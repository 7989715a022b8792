// A server that serves one call at a time, and says so to the others in JSON-RPC.
#include <gtest/gtest.h>

#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"
#include "run/run_for_testing.hpp"
#include "run/runner.hpp"
#include "session/http_script_for_testing.hpp"

namespace jrpcheck::run {
namespace busy_server_test {

using session::testing::ScriptedConnection;
using session::testing::ScriptedHttpServer;

class BusyServer : public GuardedTest {};

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
  const ScriptedHttpServer server([&](ScriptedConnection& connection) {
    while (const auto request = connection.read()) {
      const auto body = answer(request->body);
      connection.send(body ? session::testing::with_length(*body)
                           : wire::http_response(204, {}, ""));
    }
  });
  Options options;
  options.target = *transport::parse_target(server.url());
  options.selection.select = {"id/*", "json/*"};
  options.jobs = 4;
  NoProgress progress;
  const auto run = run_corpus(corpus::corpus_for_testing(corpus::kDefaultProfile), options,
                              *guardian_, progress);
  EXPECT_EQ(run.unreached, "");
  for (const auto& one : run.cases) {
    EXPECT_EQ(one.reason.find("answered every call in one way"), std::string::npos) << one.id;
    for (const auto& finding : one.findings) {
      EXPECT_NE(finding.requirement, "rob-survives") << one.id;
    }
  }
}

}  // namespace busy_server_test
}  // namespace jrpcheck::run
