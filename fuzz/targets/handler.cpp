// Any handler that defines what fuzz/jrpcheck_fuzz.h declares, held to JSON-RPC 2.0 by the oracle.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/corpus.hpp"
#include "fuzz/jrpcheck_fuzz.h"
#include "fuzz/oracle.hpp"
#include "fuzz/targets/built_in_ledger.hpp"
#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;
using corpus::Verdict;
using judge::Finding;
using judge::Judgement;

// May be left out.
extern "C" [[gnu::weak]] const char* const* jrpcheck_fuzz_methods(void);

namespace {

/// Whatever came before, this call has one right answer.
constexpr std::string_view kGoodCall =
    R"({"jsonrpc":"2.0","method":"jrpcheckNobodysMethod","id":"still there"})";

fuzz::Traits traits() {
  fuzz::Traits traits;
  if (jrpcheck_fuzz_methods == nullptr) return traits;
  for (const auto* name = jrpcheck_fuzz_methods(); *name != nullptr; ++name) {
    traits.methods.emplace_back(*name);
  }
  return traits;
}

std::vector<std::string> replies_to(std::string_view message) {
  // A block of exactly its size, so that a sanitizer sees every byte that is read beyond it; also
  // of an empty message it has an address.
  const auto bytes = std::make_unique<std::uint8_t[]>(message.size());
  std::copy(message.begin(), message.end(), bytes.get());
  std::vector<std::string> replies;
  const auto take = [](void* context, const std::uint8_t* reply, std::size_t size) {
    static_cast<std::vector<std::string>*>(context)->emplace_back(fuzz::text_of(reply, size));
  };
  jrpcheck_fuzz_handle(bytes.get(), message.size(), take, &replies);
  return replies;
}

std::string shown(const Finding& finding, std::string_view sent,
                  const std::vector<std::string>& replies) {
  std::string text = "sent:     " + std::string(sent) + "\n";
  for (const auto& reply : replies) text += "received: " + reply + "\n";
  if (replies.empty()) text += "received: nothing\n";
  return text + "expected: " + finding.expected + "\nactual:   " + finding.actual;
}

void judge_replies(const fuzz::Oracle& oracle, std::string_view sent,
                   const std::vector<std::string>& replies) {
  const Judgement judgement = oracle.judge_replies(sent, replies);
  for (const Finding& finding : judgement.findings) {
    fuzz::promise(finding.severity != Verdict::fail,
                  "[" + finding.requirement + "] " + judge::sentence_of(finding),
                  shown(finding, sent, replies));
  }
}

/// The handler and what is known of it.
class Subject {
 public:
  // A handler that says of no call that its method is unknown has not been tested, but is broken.
  Subject() : ledger_(fuzz::read_built_in_ledger()), oracle_(ledger_, traits()) {
    jrpcheck_fuzz_reset();
    judge_good_call();
  }

  void judge_message(std::string_view sent) const {
    judge_replies(oracle_, sent, replies_to(sent));
  }

  // The oracle is pure: the replies that it has found right once are right.
  void judge_good_call() {
    auto replies = replies_to(kGoodCall);
    if (has_judged_ && replies == right_) return;
    judge_replies(oracle_, kGoodCall, replies);
    right_ = std::move(replies);
    has_judged_ = true;
  }

 private:
  corpus::Ledger ledger_;
  fuzz::Oracle oracle_;
  std::vector<std::string> right_;  // to the good call
  bool has_judged_ = false;
};

/// Whether a call follows this input that has one right answer. It costs the handler as much as the
/// input does, so it follows the first inputs of a process (seeds, and what is replayed) and then
/// one of four, by what is in them: an input that is given again to a new process is followed by
/// it.
bool asks_again(std::string_view input) {
  constexpr std::size_t kFirst = 4096;
  static std::size_t seen = 0;
  return seen++ < kFirst || std::hash<std::string_view>{}(input) % 4 == 0;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (jrpcheck_fuzz_init() == 0) return 0;
  std::fprintf(stderr, "jrpcheck_fuzz_init has failed: there is nothing to fuzz\n");
  std::exit(1);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static Subject subject;
  jrpcheck_fuzz_reset();
  const std::string_view input = fuzz::text_of(bytes, size);
  subject.judge_message(input);
  if (asks_again(input)) subject.judge_good_call();
  return 0;
}
