// One case, from its file to its result.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "corpus/bindings.hpp"
#include "corpus/corpus.hpp"
#include "dialogue/storage.hpp"
#include "judge/judge.hpp"
#include "result/run.hpp"
#include "run/call_limits.hpp"
#include "run/case_verdict.hpp"
#include "run/constant_answer.hpp"
#include "run/damage.hpp"
#include "run/danger.hpp"
#include "run/endpoint.hpp"
#include "run/shared_ids.hpp"
#include "run/turns.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// A case that ran, and what its running says about the run.
struct CaseRun {
  result::CaseResult result;
  std::vector<dialogue::Exchange> exchanges;
  std::vector<std::string> methods = {};  ///< that its steps have called, of the calibration
  dialogue::SurvivalCheck survival = {};
  bool ended_between_steps = false;  ///< the server, before all steps of the case were sent
  bool answered_late = false;        ///< what was waited for in vain came right after
  /// The control call behind it was answered otherwise than at first, twice: by this.
  std::string damage = {};
  /// An answer to an earlier message came, which was taken for unanswered (turns.hpp).
  bool has_come_late = false;
  bool has_its_id = false;  ///< what came last carries the id that was sent last
  bool disturbed = false;  ///< the server was started anew meanwhile: another case may be the cause
  unsigned long long generation = 0;  ///< of the server when the case began
  SharedIds ids = {};
  /// Answers that came behind their steps in a session of the case's own.
  std::vector<session::LateAnswer> late = {};
};

/// Whether the last message that came in a live exchange carries the id that was sent last.
bool carries_the_id(const dialogue::Exchange& exchange);

class CaseRunner {
 public:
  CaseRunner(const corpus::Corpus& corpus, Endpoint& endpoint, unsigned long long seed)
      : corpus_(corpus), endpoint_(endpoint), seed_(seed) {}

  /// `omitted_params` as in corpus::Bindings.
  void use(corpus::RoleBindings roles, judge::Context context, std::string omitted_params = {}) {
    roles_ = std::move(roles);
    context_ = std::move(context);
    omitted_params_ = std::move(omitted_params);
  }
  /// From here on the answer to a control call after each case is held against the first.
  void watch(Liveness& liveness) { damage_.watch(liveness); }
  /// Cases that show nothing but this answer tell nothing from here on.
  void withdraw(ConstantAnswer constant) { constant_ = std::move(constant); }
  /// From here on no id is sent twice in one session: a case whose ids have been used gets a new
  /// one.
  void use_fresh_sessions() { fresh_sessions_ = true; }
  /// The server serves one connection at a time: a case that has a session of its own is given it.
  void make_way() { makes_way_ = true; }
  /// From here on it is looked for answers that come late.
  void watch_turns() { turns_.watch(); }
  bool watches_turns() const { return turns_.are_watched(); }
  /// Whether a call of it was answered by what says that the server is called too often, or a GET
  /// by what may say that another stream stands.
  bool has_met_limits(const result::CaseResult& result) const;
  /// Runs a case alone, and once more behind a pause where a call of it was refused as one too many
  /// and the server serves then. What is refused again as the first of its case is refused for what
  /// it says.
  CaseRun run_within_limits(std::size_t ordinal, session::Conversation& conversation,
                            const std::function<CaseRun()>& run_once) const;
  const std::string& omitted_params() const { return omitted_params_; }
  void use_omitted_params(std::string params) { omitted_params_ = std::move(params); }
  const judge::Context& context() const { return context_; }

  /// Runs the corpus's case at `ordinal` on an open conversation.
  CaseRun run(std::size_t ordinal, session::Conversation& conversation) const;

  /// Whether it has a session of its own, and needs no conversation that others use.
  bool is_apart(std::size_t ordinal) const;
  /// The same of such a case.
  CaseRun run_apart(std::size_t ordinal) const;

  /// Whether the corpus's case at `ordinal` names the method that no server has, or one of the
  /// specification's Notifications that plays no role, or is answered rightly by the error for
  /// that.
  bool calls_unknown_method(std::size_t ordinal) const;
  /// How likely it is to end a server.
  Danger danger(std::size_t ordinal) const;
  /// Whether the error for an unknown method is right in it.
  bool is_owed_unknown_method(std::size_t ordinal) const;

  /// As Damage says.
  std::string find_damage(session::Conversation& conversation,
                          dialogue::Transcript& transcript) const {
    return damage_.find(conversation, transcript);
  }
  std::string find_lasting_damage(session::Conversation& conversation,
                                  dialogue::Transcript& transcript) const {
    return damage_.find_lasting(conversation, transcript, limits_.wait());
  }

 private:
  CaseRun run(std::size_t ordinal, corpus::Case& bound, session::Conversation& conversation,
              dialogue::Transcript& transcript) const;
  /// How the case is sent by hand, with a control call behind it.
  std::string line_with_call_behind(corpus::Case& bound, const std::vector<std::string>& answers,
                                    std::size_t ordinal) const;
  /// Whether less is kept of what was sent than the law reads; the case itself says it to the
  /// judge.
  bool is_cut_for_law(const std::vector<dialogue::Event>& kept) const;
  Result<corpus::Case> bind(std::size_t ordinal) const;
  CaseRun unbound(std::size_t ordinal, const Error& error) const;
  /// The same in a session of its own.
  CaseRun run_apart(std::size_t ordinal, corpus::Case& bound) const;
  CaseRun run_apart(std::size_t ordinal, corpus::Case& bound, session::Conversation& usual) const;
  corpus::Bindings bindings(std::size_t ordinal) const;
  /// Goes through the steps, and asks whether the server survived where that is in doubt.
  void converse(corpus::Case& bound, session::Conversation& conversation,
                dialogue::Transcript& transcript, CaseRun& run) const;
  /// Whether a session that began without its opening was not opened since: the call that does so
  /// asks whether a program of its own serves, and what another is answered says nothing.
  bool is_unopened(const corpus::Case& bound,
                   const std::vector<dialogue::Exchange>& exchanges) const;
  /// Whether none of its ids has been used on the conversation, which may begin anew for that.
  bool freshen(const corpus::Case& bound, session::Conversation& conversation) const;

  const corpus::Corpus& corpus_;
  Endpoint& endpoint_;
  unsigned long long seed_;
  corpus::RoleBindings roles_;
  judge::Context context_;
  std::string omitted_params_;
  Damage damage_;
  bool makes_way_ = false;
  bool fresh_sessions_ = false;
  mutable Turns turns_;
  mutable CallLimits limits_;
  mutable std::atomic<int> refused_anyway_{0};  // cases that are refused so whenever they are sent
  std::optional<ConstantAnswer> constant_;
  mutable dialogue::Storage storage_;
  mutable std::atomic<bool> was_large_{false};      // what the last case made us read
  mutable std::atomic<bool> has_been_huge_{false};  // what any did
  mutable std::mutex large_;                        // held by a case that may read as much
  mutable std::mutex mutex_;  // guards the ids that have been used, by session
  mutable std::map<const session::Conversation*, std::set<std::string>> used_ids_;
};

}  // namespace jrpcheck::run
