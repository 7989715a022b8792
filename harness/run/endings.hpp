// The ends of a server during a run, and those that no message has been shown to cause.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "run/side_dialogue.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Whether the server was found gone, or serving no more.
inline bool is_lost(dialogue::Survival survival) {
  return survival == dialogue::Survival::dead || survival == dialogue::Survival::wedged ||
         survival == dialogue::Survival::deaf;
}

/// Counts how often the server ended or stopped serving. An end that its suspects do not bring
/// about again, each alone, is charged to none of them, and all such ends together are one finding:
/// a server that goes away now and then never passes. Safe to use from several threads.
class Endings {
 public:
  /// `starts_server`: jrpcheck does, and started it again in vain where it has gone for good.
  explicit Endings(bool starts_server = false) : starts_server_(starts_server) {}

  /// The server has gone, and what was sent to it brings that about each time.
  void note_caused() { ++count_; }
  /// The server has gone, and what may have brought that about is not tried any more.
  void note_untried() { ++count_; }
  /// The server has gone, and nothing is known to bring it about. `during` is what ran: the id of a
  /// case, or words.
  void note_unexplained(const dialogue::SurvivalCheck& how, const std::string& during);

  /// A case missed an answer, and passes when it runs again alone. `shown_by` is what passed in the
  /// step that missed it.
  void note_lost_answer(const std::string& case_id, std::vector<dialogue::Event> shown_by);

  /// The server has answered every call so, and not as at first, until it was started anew, and
  /// what was sent to it does not bring that about again.
  void note_changed(const std::string& answer, const std::string& during);

  /// From then on, or for a time, the server has refused whoever called: a login may have ended, or
  /// a quota may be used up.
  void note_kept_out(const std::string& during);

  /// The server has gone for good while these cases ran side by side, and none can be tried alone.
  void note_unclear(const dialogue::SurvivalCheck& how, const std::vector<std::string>& during);

  /// Whether nothing is known to bring about the ends that were met, and each was a death.
  bool are_unexplained_deaths() const;
  /// It is known now.
  void explain_deaths();

  /// So long was waited for a server that had gone, and spent on finding out why.
  void note_lost(microseconds time, bool is_death) {
    (is_death ? lost_to_deaths_us_ : lost_to_hangs_us_) += time.count();
  }

  std::size_t count() const { return count_; }
  /// Where that was seen first; empty: nowhere.
  std::string kept_out_during() const;
  /// How often that was, or a call was left out, or its answer held back, until the next was sent,
  /// or an answer was lost: the server serves then, and what is charged is the answer that is
  /// missing.
  std::size_t unexplained() const;
  microseconds lost_to_hangs() const { return microseconds(lost_to_hangs_us_.load()); }
  microseconds lost_to_deaths() const { return microseconds(lost_to_deaths_us_.load()); }
  microseconds lost_time() const { return lost_to_hangs() + lost_to_deaths(); }

  /// What stands for the unexplained ends in a run.
  SideDialogue dialogue(const corpus::Ledger& ledger, const judge::Context& context) const;

 private:
  std::string how_answers_are_missing() const;

  const bool starts_server_;
  std::atomic<std::size_t> count_ = 0;
  std::atomic<long long> lost_to_hangs_us_ = 0;
  std::atomic<long long> lost_to_deaths_us_ = 0;
  mutable std::mutex mutex_;  // guards what follows
  std::size_t unexplained_ = 0;
  std::size_t deaths_ = 0;                      // of those
  std::size_t changes_ = 0;                     // of those: it answered every call otherwise
  std::string changed_answer_;                  // the first of them
  std::map<std::string, std::size_t> details_;  // how often each was met
  std::string first_during_;
  std::string kept_out_during_;
  std::size_t left_out_ = 0;  // calls
  std::string first_left_out_during_;
  std::size_t lost_ = 0;  // answers, each in a case
  std::string first_lost_in_;
  std::vector<dialogue::Event> lost_shown_by_;
  bool is_unclear_ = false;     // the last of them
  std::string why_gone_;        // what came of bringing it back then
  std::string standard_error_;  // the last words that were heard
};

/// What became of a server that was asked again and again.
struct Watched {
  dialogue::SurvivalCheck check;  ///< the last
  int calls = 1;                  ///< that were made until then
};
/// Asks until the deadline has passed or it is alive no more; at least once.
Watched watch_until(Deadline deadline, session::Conversation& conversation);

/// Whether a server that has just been started goes away also when it is asked nothing but control
/// calls, about as many as a case with its repetitions takes: then no message is to blame. `calls`
/// is how many were made besides until it went away.
bool goes_away_anyway(session::Conversation& conversation, int calls = 0);

}  // namespace jrpcheck::run
