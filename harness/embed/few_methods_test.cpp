// What is found in a server of whose methods only one is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <jrpcheck/judge.hpp>
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::embed {
namespace few_methods_test {

using nlohmann::json;
using reference::Dispatcher;

Dispatcher server_with(const std::string& name, reference::Method method) {
  Dispatcher server;
  server.add_variadic(name, std::move(method));
  return server;
}

json sum_of(const json& numbers) {
  if (!numbers.is_array()) throw std::invalid_argument("an Array is expected");
  long long sum = 0;
  for (const auto& each : numbers) sum += each.get<long long>();
  return sum;
}

const Dispatcher& all_methods() {
  static const auto kServer = reference::make_reference_dispatcher();
  return kServer;
}

const Dispatcher& echo_alone() {
  static const auto kServer = server_with("echo", [](const json& params) { return params; });
  return kServer;
}

const Dispatcher& sum_alone() {
  static const auto kServer = server_with("sum", sum_of);
  return kServer;
}

const Dispatcher& add_alone() {
  static const auto kServer = [] {
    Dispatcher server;
    server.add("add", {"a", "b"}, sum_of);
    return server;
  }();
  return kServer;
}

// By name alone.
const Dispatcher& add_named_alone() {
  static const auto kServer = server_with("add", [](const json& params) -> json {
    return params.at("a").get<long long>() + params.at("b").get<long long>();
  });
  return kServer;
}

const Dispatcher& ping_alone() {
  static const auto kServer = server_with("ping", [](const json&) { return "pong"; });
  return kServer;
}

// A method whose name alone does not tell what it does is named.
struct Kind {
  const Dispatcher& server;
  std::map<std::string, std::string> roles = {};
};

std::vector<Kind> kinds() {
  return {{echo_alone()},
          {sum_alone()},
          {add_alone(), {{"add", "add"}}},
          {add_named_alone(), {{"add-named", "add"}}},
          {ping_alone()}};
}

Handler proper(const Dispatcher& server) {
  return [&server](std::string_view message) { return server.handle(message); };
}

Handler faulty(const Dispatcher& server, const reference::Mutant& mutant) {
  const auto behaviour = std::make_shared<reference::Behaviour>(mutant.behaviour());
  return [behaviour, &server](std::string_view message) -> std::optional<std::string> {
    const auto reply = behaviour->reply(
        message, [&server](std::string_view asked) { return server.handle(asked); });
    return reply ? std::optional(*reply) : std::nullopt;
  };
}

std::size_t count(const std::vector<CaseReport>& reports, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      reports, [verdict](const CaseReport& each) { return each.verdict == verdict; }));
}

bool is_charged(const Handler& handler, const std::map<std::string, std::string>& roles = {}) {
  const auto reports = Judge(handler, {.roles = roles}).judge_all();
  return std::ranges::any_of(reports,
                             [](const CaseReport& each) { return !each.findings.empty(); });
}

TEST(FewMethods, AServerThatKeepsEveryRuleIsChargedWithNothing) {
  for (const auto& kind : kinds()) {
    const auto reports = Judge(proper(kind.server), {.roles = kind.roles}).judge_all();
    for (const auto& each : reports) {
      EXPECT_TRUE(each.findings.empty()) << each.id << ": " << each.findings.front().message;
    }
    RecordProperty("passed", static_cast<int>(count(reports, Verdict::pass)));
    EXPECT_GE(count(reports, Verdict::pass), 280U);
  }
}

// One of so many of the faults that show in a server with all methods.
std::vector<reference::Mutant> faults_that_show() {
  constexpr std::size_t kOneOf = 21;
  std::vector<reference::Mutant> shown;
  std::size_t position = 0;
  for (const auto& fault : reference::faults()) {
    if (!fault.behaviour().reply || position++ % kOneOf != 0) continue;
    if (is_charged(faulty(all_methods(), fault))) shown.push_back(fault);
  }
  return shown;
}

TEST(FewMethods, OneShowsMostOfTheFaultsThatAllShow) {
  const auto faults = faults_that_show();
  ASSERT_GE(faults.size(), 10U);
  for (const auto& kind : kinds()) {
    const auto shown = std::ranges::count_if(faults, [&](const reference::Mutant& fault) {
      return is_charged(faulty(kind.server, fault), kind.roles);
    });
    EXPECT_GE(static_cast<std::size_t>(shown) * 100, faults.size() * 75)
        << shown << " of " << faults.size();
  }
}

}  // namespace few_methods_test
}  // namespace jrpcheck::embed
