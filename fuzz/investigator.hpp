// Investigator: what a campaign does about a suspicion. It is confirmed, reduced and recorded, and
// the same fault is not looked at again.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/confirm.hpp"
#include "fuzz/finding_log.hpp"
#include "fuzz/known_silences.hpp"
#include "fuzz/repeater.hpp"
#include "fuzz/revisits.hpp"

namespace jrpcheck::fuzz {

/// What was seen now and then, and at most once when the message was sent again.
struct Sighting {
  std::string requirement;
  judge::Symptom symptom = judge::Symptom::untold;
  unsigned long long times = 0;
  bool has_shown_again = false;
};

/// In a line, for people.
std::string in_words(const Sighting& sighting);

class Investigator {
 public:
  /// All of them must outlive it.
  Investigator(Repeater repeater, const Oracle& oracle, const Limits& limits, FindingLog& findings)
      : repeater_(repeater), oracle_(oracle), limits_(limits), findings_(findings) {}

  /// The first of the findings that is a fault and not known yet. Counts those before it that are
  /// not looked into any more. To be asked once for every judgement.
  std::optional<judge::Finding> worst_new(const Expectation& expectation,
                                          const judge::Judgement& judgement);

  /// The first element of a batch that is known to be left unanswered, in words.
  std::optional<std::string> unanswered_element_of(const Expectation& expectation) const;

  /// `before`: what had been sent before the message.
  void investigate(Suspicion suspicion, const Messages& before);
  /// Of a message that showed nothing when it was sent alone: the traces of an earlier one were
  /// gone by then, or it shows only in the company in which it was written.
  void investigate_after(Suspicion suspicion, const Messages& before,
                         const std::optional<Company>& company);
  /// Of messages that were written together, and whose answers could not be told apart. True where
  /// it is known now what makes the server lose them.
  bool investigate_lost(const Messages& together, const std::optional<Cut>& cut,
                        const Messages& before);
  /// Of Responses that came for calls before: one that is answered once more is charged. Whether
  /// there is such a call among those before.
  bool investigate_again(const std::vector<dialogue::Message>& came, const Messages& before);
  /// Of a message whose answer may come only when more is sent: whether that is so each time.
  bool investigate_held(const std::string& message);
  /// Of the last message before the server was found dead. `how` it ended is not empty where that
  /// is to be told though the message does not do it again.
  void investigate_death_after(const std::string& message, const Messages& before,
                               const std::string& how);
  /// The server ended so, and neither the last message that had been sent nor those sent with it do
  /// that again.
  void investigate_end(const std::string& last, const Messages& before, const std::string& how);

  /// A message to be sent again in hope of what did not show a second time. To be asked once for
  /// every message that is sent.
  std::optional<std::string> next_revisit() { return revisits_.next(); }

  std::size_t investigations() const { return investigations_; }
  std::size_t unconfirmed() const { return unconfirmed_; }
  /// Of those what was seen too often to be looked into any more.
  std::vector<Sighting> sightings() const;
  /// The server has died, or has served nobody any more until it was started again, and nothing
  /// that was sent again makes it do so: told at the end, where no message has been found by then
  /// that does the same.
  void tell_unexplained_ends();

  /// Suspicions that an interruption left open.
  std::size_t unsettled() const { return unsettled_; }

 private:
  bool is_told(const Suspicion& end) const;
  /// What is to be looked into where elements of a batch are known to be left unanswered: what the
  /// others show without them, if anything.
  std::optional<Suspicion> beside_known_silences(Suspicion suspicion);
  bool has_told_silence() const;
  void tell_end(Suspicion suspicion, std::size_t tries, const std::string& sentence);
  bool charge_fatal(const Suspicion& death, const Messages& before);
  bool is_about_another(const Suspicion& suspicion, const Messages& before);
  bool is_of_those_before(const Identity& identity, const Suspicion& suspicion);
  void explain_death(const Identity& identity, Confirmation death, const Messages& before);
  // Of what was sent before the server answered nothing more, where no message is the cause by
  // itself: one may be served so many times only.
  void investigate_repetition(const Messages& before);
  void leave_unconfirmed(const Identity& identity, Suspicion suspicion);
  void give_up(const Identity& identity, Suspicion suspicion);
  void conclude(Suspicion reduced, const Identity& identity);
  void conclude_element(Suspicion element, const Identity& identity);
  void conclude_in_company(Suspicion suspicion, const Identity& identity);
  void record(const Suspicion& suspicion, std::size_t shown, std::size_t tries);

  Repeater repeater_;
  const Oracle& oracle_;
  const Limits& limits_;
  FindingLog& findings_;
  std::set<Identity> known_;
  std::map<Identity, int> shown_in_vain_;
  std::map<Identity, Sighting> sightings_;
  std::map<Identity, int> explained_;  // by what an element of a batch shows alone
  KnownSilences silences_;
  std::vector<Confirmation> unexplained_deaths_;
  std::vector<Suspicion> unexplained_wedges_;
  Revisits revisits_;
  int companies_in_vain_ = 0;
  int lost_in_vain_ = 0;
  int again_in_vain_ = 0;
  int repetitions_in_vain_ = 0;
  std::size_t investigations_ = 0;
  std::size_t unconfirmed_ = 0;
  std::size_t unsettled_ = 0;
};

}  // namespace jrpcheck::fuzz
