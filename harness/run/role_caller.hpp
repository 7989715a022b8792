// Calls of methods that are tried for roles, and what becomes of those that bring nothing back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "run/endings.hpp"
#include "run/roles.hpp"
#include "run/side_dialogue.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// What a call brought back, beside what it sent.
struct Answer {
  std::string sent;
  std::string received;            ///< empty: nothing
  dialogue::Message message = {};  ///< what the Response is held by

  /// The Response, where there is one.
  const json::Value* response() const { return message.value(); }
};

/// Calls methods for `discover_roles`, which says what becomes of the dialogue and the endings.
class RoleCaller {
 public:
  RoleCaller(const RoleSearch& search, session::Conversation& conversation, SideDialogue* dialogue,
             Endings* endings)
      : search_(search), conversation_(conversation), dialogue_(dialogue), endings_(endings) {}

  /// Params that are empty are left out. A server that goes away, or leaves too much unanswered, is
  /// called no more.
  Answer call(std::string_view method, std::string_view params);

 private:
  bool goes_away_again_and_again() const;
  bool is_left_out(const dialogue::Exchange& exchange, microseconds waited,
                   dialogue::Transcript& transcript, std::optional<dialogue::SurvivalCheck>& check);
  void settle_left_out(const corpus::Step& step, dialogue::Exchange& exchange,
                       dialogue::Transcript& transcript,
                       std::optional<dialogue::SurvivalCheck>& check);
  void settle_missing(const corpus::Step& step, const dialogue::SurvivalCheck& check,
                      dialogue::Exchange& exchange, dialogue::Transcript& transcript,
                      Clock::time_point begin);
  void settle_unseen(const session::UnseenDeath& death, Clock::time_point begin);
  bool is_of_call_before(const dialogue::SurvivalCheck& death);
  bool ends_in_a_moment() const;

  // Ids of their own, so that a late answer is no answer to a case.
  static constexpr long long kFirstId = 4'000'000;

  const RoleSearch& search_;
  session::Conversation& conversation_;
  SideDialogue* dialogue_;
  Endings* endings_;
  long long id_ = kFirstId;
  std::string before_;  // what was called before the call that is settled
  int unanswered_ = 0;
};

}  // namespace jrpcheck::run
