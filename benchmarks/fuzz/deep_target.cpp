// The reference server in process as a target of fuzzers of bytes, with faults that are watched.
//
// Each input goes to the proper server and to each watched fault that has not been found yet. Where
// the fault replies differently the oracle judges its replies, as it does in `jrpcheck fuzz`, and
// what fails is found: that is noted and nothing crashes, so that one campaign has an outcome for
// each fault. Once nothing is left to be found the program ends.
//
// JRPCHECK_FAULTS: their names, separated by commas. Without any the proper server's own replies
// are judged, all of them: that is how fast a campaign is. JRPCHECK_RECORD: a file of 64-bit
// numbers that outlives this process, which some engines start again and again: the executions so
// far, then for each fault the execution that found it, or 0.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/fuzz/elements_once.hpp"
#include "benchmarks/fuzz/planted_faults.hpp"
#include "corpus/corpus.hpp"
#include "fuzz/oracle.hpp"
#include "fuzz/targets/built_in_ledger.hpp"
#include "fuzz/targets/promise.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/json_text.hpp"

using namespace jrpcheck;
using namespace jrpcheck::reference;

namespace {

/// Asked again after each input, as the targets of a handler are.
constexpr std::string_view kGoodCall =
    R"({"jsonrpc":"2.0","method":"jrpcheckNobodysMethod","id":"still there"})";

struct Watched {
  Behaviour behaviour;
  bool remembers = false;   ///< something of earlier messages
  bool needs_json = false;  ///< what is no JSON it answers as the proper server does
  std::uint64_t* found = nullptr;
};

std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

class Target {
 public:
  Target() {
    const std::string names = setting("JRPCHECK_FAULTS");
    for (std::size_t at = 0; at < names.size();) {
      const std::size_t end = std::min(names.find(',', at), names.size());
      watch(names.substr(at, end - at));
      at = end + 1;
    }
    map_record();
  }

  void take(std::string_view message) {
    if (record_ != nullptr) ++record_[0];
    if (all_.empty()) {
      fuzz::promise(!fails(message, dispatcher_.handle(message)), "the proper server does",
                    message);
      fuzz::promise(!fails(kGoodCall, dispatcher_.handle(kGoodCall)), "it answers a good call");
      return;
    }
    known_replies_.clear();
    benchmark::forget_elements();
    const Reply proper = reply_to(message);
    const bool json = is_json(message);
    for (Watched& each : all_) {
      if (*each.found == 0 && (json || !each.needs_json)) try_one(each, message, proper);
    }
    if (left_ == 0) std::abort();
  }

 private:
  void watch(const std::string& name) {
    const auto watched_in = [&](std::span<const Mutant> faults, bool remember, bool need_json) {
      const auto fault = std::find_if(faults.begin(), faults.end(),
                                      [&](const Mutant& each) { return each.name == name; });
      if (fault == faults.end()) return false;
      all_.push_back({fault->behaviour(), remember, need_json, nullptr});
      return true;
    };
    const bool known = watched_in(deep_faults_in_calls(), false, true) ||
                       watched_in(deep_faults_in_batches(), false, true) ||
                       watched_in(deep_faults_in_conversations(), true, false) ||
                       watched_in(deep_faults_in_values(), true, false) ||
                       watched_in(benchmark::planted_faults(), false, false);
    fuzz::promise(known, "JRPCHECK_FAULTS names deep or planted faults", name);
  }

  void map_record() {
    const std::string path = setting("JRPCHECK_RECORD");
    if (path.empty() && all_.empty()) return;
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    const std::size_t size = (all_.size() + 1) * sizeof(std::uint64_t);
    fuzz::promise(file >= 0 && ::ftruncate(file, static_cast<off_t>(size)) == 0,
                  "JRPCHECK_RECORD can be written", path);
    void* const bytes = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    fuzz::promise(bytes != MAP_FAILED, "JRPCHECK_RECORD can be mapped", path);
    record_ = static_cast<std::uint64_t*>(bytes);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      all_[i].found = record_ + i + 1;
      if (*all_[i].found == 0) ++left_;
    }
  }

  // Faults that take a batch apart ask for the replies to the same elements, one after the other.
  Reply reply_to(std::string_view text) {
    const auto known = known_replies_.find(text);
    if (known != known_replies_.end()) return known->second;
    return known_replies_.emplace(text, dispatcher_.handle(text)).first->second;
  }

  void try_one(Watched& fault, std::string_view message, const Reply& proper) {
    if (!goes_wrong(fault, message, proper) &&
        !(fault.remembers && goes_wrong(fault, kGoodCall, reply_to(kGoodCall)))) {
      return;
    }
    *fault.found = record_[0];
    --left_;
  }

  bool goes_wrong(const Watched& fault, std::string_view message, const Reply& proper) {
    try {
      const Reply reply =
          fault.behaviour.reply(message, [this](std::string_view text) { return reply_to(text); });
      return reply != proper && fails(message, reply);
    } catch (const Catastrophe&) {
      return true;
    }
  }

  bool fails(std::string_view message, const Reply& reply) const {
    const auto judgement = oracle_.judge_replies(message, reply.messages());
    return std::any_of(
        judgement.findings.begin(), judgement.findings.end(),
        [](const auto& finding) { return finding.severity == corpus::Verdict::fail; });
  }

  corpus::Ledger ledger_ = fuzz::read_built_in_ledger();
  fuzz::Oracle oracle_{ledger_,
                       {.methods = {"subtract", "sum", "get_data", "echo", "nothing", "fails"}}};
  Dispatcher dispatcher_ = make_reference_dispatcher();
  std::vector<Watched> all_;
  std::size_t left_ = 0;
  std::uint64_t* record_ = nullptr;
  std::map<std::string, Reply, std::less<>> known_replies_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static Target target;
  target.take(fuzz::text_of(bytes, size));
  return 0;
}
