#include <jrpcheck/judge.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "embed/handler_cases.hpp"
#include "embed/handler_endpoint.hpp"
#include "embed/report_text.hpp"
#include "result/attribution.hpp"
#include "run/calibration.hpp"
#include "run/case_runner.hpp"
#include "run/conclusion.hpp"
#include "run/roles.hpp"
#include "run/served_batches.hpp"

namespace jrpcheck::embed {
namespace {

// A handler answers before it returns: nothing is ever waited for.
constexpr milliseconds kNoWait{1};

std::string needs_role(const std::string& role) {
  return "needs a method in the role '" + role + "'; Options::roles names it";
}

}  // namespace

class Judge::Implementation {
 public:
  Implementation(Handler handler, Options options)
      : corpus_(built_in_corpus(options.profile)),
        endpoint_(handler, run::unknown_control_call(corpus_.profile.dialect)),
        conversation_(std::move(handler), run::unknown_control_call(corpus_.profile.dialect)),
        runner_(corpus_, endpoint_, options.seed),
        roles_(std::move(options.roles)) {
    options_.seed = options.seed;
  }

  CaseReport judge(std::string_view case_id) {
    for (std::size_t ordinal = 0; ordinal < corpus_.cases.size(); ++ordinal) {
      if (corpus_.cases[ordinal].id == case_id) return judge(ordinal);
    }
    throw std::invalid_argument("there is no case '" + std::string(case_id) + "'");
  }

  std::vector<CaseReport> judge_all() {
    prepare_once();
    auto results = first_;
    for (std::size_t ordinal = 0; ordinal < corpus_.cases.size(); ++ordinal) {
      const bool is_asked = is_for_handlers(corpus_.cases[ordinal]);
      if (is_asked && results.count(ordinal) == 0) results.emplace(ordinal, run(ordinal));
    }
    std::vector<CaseReport> reports;
    for (const auto& each : attributed(std::move(results))) {
      if (is_for_handlers(*corpus_.find(each.id)))
        reports.push_back(report_of(each, corpus_.ledger));
    }
    return reports;
  }

 private:
  CaseReport judge(std::size_t ordinal) {
    prepare_once();
    auto results = first_;
    if (results.count(ordinal) == 0) results.emplace(ordinal, run(ordinal));
    const auto all = attributed(std::move(results));
    const auto asked = std::ranges::find_if(
        all, [&](const auto& each) { return each.id == corpus_.cases[ordinal].id; });
    return report_of(*asked, corpus_.ledger);
  }

  result::CaseResult run(std::size_t ordinal) {
    std::string reason = obstacle(ordinal);
    return reason.empty() ? runner_.run(ordinal, conversation_).result
                          : run::not_exercised(corpus_.cases[ordinal], std::move(reason));
  }

  std::vector<result::CaseResult> attributed(
      std::map<std::size_t, result::CaseResult> by_ordinal) const {
    std::vector<result::CaseResult> results;
    results.reserve(by_ordinal.size());
    for (auto& [ordinal, each] : by_ordinal) results.push_back(std::move(each));
    result::attribute(results, corpus_);
    return results;
  }

  void prepare_once() {
    if (!prepared_) prepare();
    prepared_ = true;
  }

  // Calibration, the methods that play roles, and the cases that tell how the results of others are
  // to be read.
  void prepare() {
    judge::Context context;
    context.dialect = corpus_.profile.dialect;
    runner_.use(roles_, context);
    session::Patience patience(kNoWait);
    auto traits = run::calibrate(corpus_, options_, endpoint_, runner_, conversation_, patience);
    run::Roles found{roles_, {}, {}, traits.omitted_params};
    if (traits.unjudgeable.empty() && traits.silent.empty()) {
      found = run::discover_roles({corpus_.profile, roles_, false, options_.seed,
                                   traits.omitted_params, !traits.no_unknown_methods.empty()},
                                  conversation_);
      run::find_served_batches(corpus_, found, options_.seed, runner_, conversation_, traits);
      run::find_longest_batch(corpus_, found, options_.seed, conversation_, traits);
    }
    roles_ = std::move(found.methods);
    takes_ = std::move(found.takes);
    std::vector<result::CaseResult> none;
    run::leave_out_unselected(corpus_, {}, traits, none);
    if (traits.constant) runner_.withdraw(*traits.constant);
    context.systematic = traits.systematic;
    runner_.use(roles_, context, found.omitted_params);
    first_ = std::move(traits.results);
    if (traits.unjudgeable.empty()) traits.unjudgeable = traits.silent;
    traits_ = std::move(traits);
    if (!traits_.unjudgeable.empty()) blame(first_result());
    const auto telling = result::telling_cases(corpus_);
    for (std::size_t ordinal = 0; ordinal < corpus_.cases.size(); ++ordinal) {
      const auto& one = corpus_.cases[ordinal];
      const bool tells = one.typical || (telling.count(one.id) != 0 && is_for_handlers(one));
      const bool runs = tells && first_.count(ordinal) == 0 && obstacle(ordinal).empty();
      if (runs) first_.emplace(ordinal, runner_.run(ordinal, conversation_).result);
    }
  }

  // Of a handler that has never answered no case has a result.
  result::CaseResult& first_result() {
    if (first_.empty()) {
      std::size_t ordinal = 0;
      while (!is_for_handlers(corpus_.cases[ordinal])) ++ordinal;
      first_.emplace(ordinal, run::not_exercised(corpus_.cases[ordinal], traits_.unjudgeable));
    }
    return first_.begin()->second;
  }

  // Of a handler about which nothing can be said, something is said in red.
  void blame(result::CaseResult& first) const {
    if (!first.findings.empty()) return;
    first.verdict = result::Verdict::fail;
    first.findings.push_back(
        {first.requirements.front(), corpus::Verdict::fail, judge::Symptom::cannot_be_judged,
         judge::Place{}, "answers in JSON-RPC", "none that can be judged", traits_.unjudgeable});
  }

  std::string obstacle(std::size_t ordinal) const {
    const auto& one = corpus_.cases[ordinal];
    if (!traits_.unjudgeable.empty()) return traits_.unjudgeable;
    for (const auto& role : one.roles) {
      if (corpus::player_of(role, one, roles_).empty()) return needs_role(role);
    }
    if (auto reason = run::params_not_taken(one, roles_, takes_); !reason.empty()) return reason;
    if (auto reason = run::lacks_batches(one, traits_); !reason.empty()) return reason;
    const bool is_asked =
        traits_.no_unknown_methods.empty() || !runner_.calls_unknown_method(ordinal);
    return is_asked ? std::string() : traits_.no_unknown_methods;
  }

  const corpus::Corpus& corpus_;
  run::Options options_;
  HandlerEndpoint endpoint_;
  HandlerConversation conversation_;
  run::CaseRunner runner_;
  corpus::RoleBindings roles_;
  std::map<std::string, corpus::ParamsForms> takes_;
  bool prepared_ = false;
  run::Traits traits_;  // without the results, which are among the first
  std::map<std::size_t, result::CaseResult> first_;  // those that ran before all others, by ordinal
};

Judge::Judge(Handler handler, Options options)
    : implementation_(std::make_unique<Implementation>(std::move(handler), std::move(options))) {}

Judge::~Judge() = default;
Judge::Judge(Judge&&) noexcept = default;
Judge& Judge::operator=(Judge&&) noexcept = default;

CaseReport Judge::judge(std::string_view case_id) { return implementation_->judge(case_id); }

std::vector<CaseReport> Judge::judge_all() { return implementation_->judge_all(); }

}  // namespace jrpcheck::embed
