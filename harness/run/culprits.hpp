// Which case has brought about an end of the server.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "run/case_runner.hpp"
#include "run/endings.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Results by the ordinal of their case.
using Results = std::map<std::size_t, result::CaseResult>;

/// One conversation's place in a run.
struct Worker {
  session::Conversation& conversation;
  std::optional<std::size_t> previous = {};  ///< the case that ran before on it
  bool is_first = false;                     ///< the one that is there whatever becomes of others
};

/// What the workers of a run share; `mutex` guards all of it but the constants.
struct Shared {
  Results& results;
  const bool several;  ///< more than one worker on one server
  std::mutex mutex = {};
  std::set<std::size_t> again = {};  ///< what is to run alone, once more or for the first time
  bool alone = false;                ///< the others have finished
  /// A case has had the answer to another one that ran beside it.
  bool answers_are_swapped = false;
  /// The case after which the server answered otherwise than at first, and was not mended.
  std::optional<std::size_t> damaged_by = {};

  bool may_suffer_from_others() const { return several && !alone; }
};

/// Whether a case is charged with the end of the server, or of its service.
bool charges_end(const result::CaseResult& result);

/// Whether the server answers. It may have ended unseen, or another worker may have killed it just
/// when it had come back for this one.
bool still_serves(session::Conversation& conversation);

/// Looks for the case that an end of the server is due to. Nothing is charged that does not bring
/// the end about again, alone and on a server that was just started: neither the case that met it
/// nor the one before. What nobody brings about is left to Endings.
class Culprits {
 public:
  Culprits(const corpus::Corpus& corpus, const CaseRunner& runner, Endings& endings, Shared& shared)
      : corpus_(corpus), runner_(runner), endings_(endings), shared_(shared) {}

  // Beside others, with the mutex held.
  /// The case that this conversation has run last.
  void note_run(const session::Conversation& conversation, std::size_t ordinal);
  /// What ran while the server ended, in one of its generations or in several.
  void suspect(std::size_t ordinal, const CaseRun& run, session::Conversation& conversation);
  void suspect_recent(unsigned long long generation);
  /// How many ends were met while cases ran side by side.
  std::size_t ends_together() const { return ends_of_.size(); }
  /// Ends that take long are shown by a few cases of each kind: why this one does not run, or
  /// nothing.
  std::string why_spared(std::size_t ordinal) const;
  /// Nor has it been tried alone, so that an end which it met may be of its making.
  void note_spared(std::size_t ordinal) { spared_.insert(ordinal); }
  /// There have been so many ends that cases are spared; or a part of as many.
  bool are_enough(std::size_t part = 1) const;

  // Alone.
  /// What a case shows whose run ended with the end of the server.
  CaseRun settle(std::size_t ordinal, Worker& worker, CaseRun run);
  /// The server had ended before the case at `ordinal` was sent, or the program before it answered.
  void settle_unseen(std::size_t ordinal, Worker& worker, const dialogue::SurvivalCheck& how);
  /// The end of the case before was found when the one at `ordinal` was to be sent, and the server
  /// was started anew to show it: an end that this one has brought about late went unseen then.
  void settle_hidden(std::size_t ordinal, Worker& worker, result::CaseResult& result);
  /// What the case met beside others it meets alone as well, and its own result tells of it.
  void note_repeated(std::size_t ordinal);
  /// Whether the server has outlived the last case.
  void finish(Worker& worker);
  /// The server has gone for good: what becomes of the cases that were to be tried alone.
  void leave_unsettled(const std::set<std::size_t>& ordinals, const Worker& worker);
  /// What was met while cases ran side by side, and none of them has brought about alone.
  void settle_suspicions(session::Conversation& conversation);
  /// Deaths that nothing has brought about so far may have come long after their message.
  void settle_late(session::Conversation& conversation);

 private:
  /// Whether the server ends again when both run once more, one after the other.
  bool ends_between(std::size_t previous, std::size_t ordinal, session::Conversation& conversation);
  bool ends_alone(std::size_t ordinal, session::Conversation& conversation);
  bool ends_by_itself(session::Conversation& conversation);
  bool ends_a_moment_later(const std::set<std::size_t>& ordinals,
                           session::Conversation& conversation);
  /// What becomes of the server when the case runs once more, and a moment later.
  Watched try_alone(std::size_t ordinal, session::Conversation& conversation);
  microseconds for_last_words(std::size_t ordinal) const;
  void charge_death(std::size_t ordinal, const dialogue::SurvivalCheck& death,
                    result::CaseResult& result);
  void note_cause(std::size_t ordinal, const dialogue::SurvivalCheck& how);
  void look_at_previous(Worker& worker, bool comes_late);

  struct Ends {
    int number = 0;
    std::size_t shown_by = 0;
  };

  const Clock::time_point begin_ = Clock::now();
  const corpus::Corpus& corpus_;
  const CaseRunner& runner_;
  Endings& endings_;
  Shared& shared_;
  // Of ends that were met while cases ran side by side: by the generation of the server that ended,
  // what ran then, and how the end was met.
  std::map<unsigned long long, std::set<std::size_t>> suspects_;
  std::map<unsigned long long, dialogue::SurvivalCheck> ends_of_;
  std::map<const session::Conversation*, std::size_t> last_run_;
  // The same where the server had not to be started anew: nothing but the case may be the cause.
  std::map<std::size_t, dialogue::SurvivalCheck> alone_in_;
  std::size_t gone_in_searches_ = 0;
  std::size_t looks_in_vain_ = 0;     // at the case before one that ends the server, in a row
  std::set<std::size_t> caused_;      // what has ended the server alone
  std::set<std::size_t> spared_;      // what was to be tried alone, and was not
  std::map<std::string, Ends> ends_;  // those that have a cause, by kin of cases
};

}  // namespace jrpcheck::run
