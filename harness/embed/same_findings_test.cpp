// The adapter and a run say the same of a server, whatever is wrong with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/contains.hpp"
#include "embed/handler_cases.hpp"
#include "embed/handler_endpoint.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "result/run.hpp"
#include "run/judging.hpp"
#include "run/runner.hpp"

namespace jrpcheck::embed {
namespace same_findings_test {

class Quiet : public run::Progress {
 public:
  void advance(std::size_t, std::size_t, const std::string&) override {}
};

// What is said of each case: its verdict and its findings.
using Said = std::map<std::string, std::string>;

// What the server without a fault says. Half of the time would go to the few messages that are
// large, and are the same for each of five hundred servers.
reference::Reply properly(std::string_view asked) {
  static const auto kServer = reference::make_reference_dispatcher();
  constexpr std::size_t kLarge = 10'000;
  if (asked.size() < kLarge) return kServer.handle(asked);
  static std::map<std::string, reference::Reply, std::less<>> known;
  const auto found = known.find(asked);
  return found != known.end() ? found->second
                              : known.emplace(asked, kServer.handle(asked)).first->second;
}

// A server of its own for each that judges it: some mutants remember what they were asked.
Handler handler_of(const reference::Mutant& mutant) {
  const auto behaviour = std::make_shared<reference::Behaviour>(mutant.behaviour());
  return [behaviour](std::string_view message) -> std::optional<std::string> {
    const auto reply = behaviour->reply(message, properly);
    return reply ? std::optional(*reply) : std::nullopt;
  };
}

Said said_by_adapter(const Handler& handler) {
  Said said;
  for (const auto& report : Judge(handler).judge_all()) {
    std::string& text = said[report.id];
    text = name_of(report.verdict);
    for (const auto& each : report.findings) text += "\n" + each.requirement + ": " + each.message;
  }
  return said;
}

// What cannot be put to a function is for another transport than its own.
corpus::Corpus corpus_of_handlers() {
  auto corpus = *corpus::with_profile(*corpus::assemble(corpus::embedded_files(), {}),
                                      corpus::kDefaultProfile);
  for (auto& one : corpus.cases) {
    if (is_for_handlers(one)) {
      one.transports.clear();
    } else if (!one.typical && !one.calibration) {
      one.transports = {"http"};
    }
  }
  return corpus;
}

Said said_by_run(const Handler& handler) {
  static const auto kCorpus = corpus_of_handlers();
  const auto control = run::unknown_control_call(kCorpus.profile.dialect);
  HandlerEndpoint endpoint(handler, control);
  HandlerConversation conversation(handler, control);
  session::Patience patience(milliseconds(1));
  Quiet progress;
  const run::Options options;
  auto run = run::begin_run(kCorpus, options);
  run::judge_endpoint(kCorpus, options, endpoint, conversation, patience, progress, run);
  Said said;
  for (const auto& one : run.cases) {
    const auto* of_corpus = kCorpus.find(one.id);
    if (of_corpus == nullptr || !is_for_handlers(*of_corpus)) continue;
    std::string& text = said[one.id];
    text = name_of(one.verdict);
    for (const auto& each : one.findings) {
      text += "\n" + each.requirement + ": " + sentence_of(each);
    }
  }
  return said;
}

constexpr std::array<std::string_view, 6> kRemember = {"parse-error-deafens",
                                                       "prototype-pollutes",
                                                       "refuses-otherwise-every-thirty-answers",
                                                       "params-errors-held-until-more-comes",
                                                       "call-behind-broken-text-without-id",
                                                       "success-under-the-last-error-id"};

// Gives how many of the mutants are charged with something, of each so many the one at a place.
std::size_t compare(std::size_t place, std::size_t each_so_many) {
  std::size_t charged = 0;
  std::size_t position = 0;
  for (const auto& fault : reference::faults()) {
    const auto behaviour = fault.behaviour();
    if (!behaviour.reply) continue;  // it shows on a transport alone
    // It depends on what came before, and a run asks for more, or in another order.
    const bool counts = fault.name.ends_with("-once-in-a-hundred");
    if (counts || fault.breaks.anywhere || contains(kRemember, fault.name)) continue;
    if (fault.name.starts_with("unasked-")) continue;  // a handler answers, and says nothing else
    if (position++ % each_so_many != place) continue;
    const auto by_run = said_by_run(handler_of(fault));
    const auto by_adapter = said_by_adapter(handler_of(fault));
    EXPECT_EQ(by_adapter.size(), by_run.size()) << fault.name;
    for (const auto& [id, said] : by_adapter) {
      const auto other = by_run.find(id);
      EXPECT_EQ(said, other == by_run.end() ? "" : other->second) << fault.name << " in " << id;
    }
    charged += std::ranges::any_of(
        by_run, [](const auto& each) { return each.second.find('\n') != std::string::npos; });
  }
  return charged;
}

// In parts that run side by side.
constexpr std::size_t kParts = 8;
class SameFindings : public testing::TestWithParam<std::size_t> {};

TEST_P(SameFindings, TheAdapterAndARunSayTheSameOfEachFault) {
  EXPECT_GT(compare(GetParam(), kParts), 20U);
}

INSTANTIATE_TEST_SUITE_P(Part, SameFindings, testing::Range<std::size_t>(0, kParts));

}  // namespace same_findings_test
}  // namespace jrpcheck::embed
