// What every conversation with a peer does alike: finding out what became of it, and bringing it
// back.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "session/conversation.hpp"
#include "session/patience.hpp"
#include "transport/peer.hpp"
#include "transport/starvation.hpp"

namespace jrpcheck::session {

class PeerConversation : public Conversation {
 public:
  /// The same connection, else a new one, else the peer: whichever answers tells what became of the
  /// server. Afterwards it is brought back where it has to be.
  dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) final;

  Result<bool> start_anew(dialogue::Transcript& transcript) override;

  void step_aside() final {
    if (peer_->is_shared()) drop();
  }

  std::optional<UnseenDeath> take_unseen_death() override {
    return std::exchange(unseen_death_, std::nullopt);
  }
  unsigned long long server_generation() const override { return peer_->generation(); }

 protected:
  PeerConversation(std::shared_ptr<transport::Peer> peer, Patience& patience)
      : patience_(patience), peer_(std::move(peer)) {}

  /// What came back for a control call.
  enum class Control {
    answered,
    unfit,        ///< by something that holds no JSON-RPC
    limited,      ///< by nothing but a limit on how often the server is called
    unavailable,  ///< likewise, or by a server that does not serve yet: by 503
    kept_out,     ///< by a refusal of whoever calls, where calls were served before
    unanswered,
    closed,  ///< the connection was, or had been before it could be asked
  };

  virtual const ControlCall& control_call() const = 0;

  /// How many control calls have been answered in it.
  static std::ptrdiff_t answers_in(const dialogue::Transcript& transcript);

  /// It serves, or says that it would at another time.
  static bool is_there(Control control);

  /// Asks on the connection of the last exchange.
  virtual Control ask_again(dialogue::Transcript& transcript) = 0;
  /// Asks on the connection that was made last.
  virtual Control ask(Deadline deadline, dialogue::Transcript& transcript) = 0;
  /// Whether the connection that was made last was closed at once by a peer that serves so many at
  /// a time.
  virtual bool was_turned_away() { return false; }
  /// Asks on a new connection.
  Control ask_newly(dialogue::Transcript& transcript);
  /// While one call is waited for the answer to another may come, as its id shows.
  virtual bool pairs_by_ids() const { return false; }
  /// A new connection that can be asked; the one before is closed first, because some servers serve
  /// one at a time.
  virtual bool reconnect(dialogue::Transcript& transcript) = 0;
  /// There is no connection, and the conversation is not usable.
  virtual void drop() = 0;
  /// What became of a server of which each connection has a program of its own: a new connection
  /// tells nothing of it. `same` is what has come of asking it.
  virtual dialogue::SurvivalCheck find_own_end(Control same, dialogue::Transcript& transcript);

  /// The program at the other end, where it was started here.
  virtual std::shared_ptr<transport::Program> program() const { return peer_->program(); }
  std::shared_ptr<transport::Worker> worker() const {
    if (auto own = program()) return own;
    return peer_->worker();
  }
  /// For what is due from the other end: it does not pass while the machine keeps the program
  /// there from running.
  Deadline due_in(microseconds wait) const { return transport::due_in(wait, worker()); }
  std::optional<transport::ExitStatus> ended(Deadline deadline) const;
  std::string last_words() const;

  /// Starts the peer again, or waits until somebody does, and opens the conversation. Empty when it
  /// serves again, else what it does instead, for people: "it did not come back: ...".
  std::string bring_back(transport::Generation generation);

  /// The server was gone before anything was sent to it.
  void note_unseen_death(const std::optional<transport::ExitStatus>& how);

  transport::Peer& peer() const { return *peer_; }

  Patience& patience_;
  /// How long a control call is waited for behind so many bytes: the first one of a check the whole
  /// timeout, where the check may say that the server answers no more.
  microseconds for_control(std::size_t bytes_before = 0);

  std::optional<UnseenDeath> unseen_death_;
  std::string gone_;                 // not empty: it could not be brought back, and why
  bool answered_meanwhile_ = false;  // while a control call was
  /// In the last step. One that has settled leaves the control call behind it unread.
  bool has_waited_in_vain_ = false;
  bool is_at_work_ = false;     // on the last step, whose answer may take long
  std::string control_answer_;  // to that call
  int control_status_ = 0;      // HTTP: of that answer

 private:
  dialogue::SurvivalCheck alive(bool answered_meanwhile) const {
    return {
        dialogue::Survival::alive, {}, {}, answered_meanwhile, control_answer_, control_status_};
  }
  bool accepts(dialogue::Transcript& transcript);
  Control ask_newly_once(dialogue::Transcript& transcript);
  /// Behind a control call that was left unanswered: what comes of another one on the connection.
  enum class Next {
    unanswered,
    answered,
    both_answered,
    held_back,  ///< or of the first, and an answer to a call before both came with that
  };
  Next ask_next(Control first, bool others_were_answered, dialogue::Transcript& transcript);
  dialogue::SurvivalCheck find_out(dialogue::Transcript& transcript);
  dialogue::SurvivalCheck find_what_became(Control same, transport::Generation generation,
                                           dialogue::Transcript& transcript);
  dialogue::SurvivalCheck find_why_kept_out(transport::Generation generation,
                                            dialogue::Transcript& transcript);
  dialogue::SurvivalCheck find_death(transport::Generation generation,
                                     dialogue::Transcript& transcript);
  Result<bool> serves_again(Deadline deadline);

  std::shared_ptr<transport::Peer> peer_;
  bool is_given_all_ = false;      // the next control call: the whole timeout
  bool is_kept_out_anew_ = false;  // by the program that was started anew for that as well
};

/// How long a program that closed its connections may take to be gone.
inline constexpr milliseconds kReaping{500};

}  // namespace jrpcheck::session
