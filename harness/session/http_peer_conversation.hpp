// What keeps a conversation over HTTP going: its opening, its connection, and calls that show
// whether the server serves.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "session/http_channel.hpp"
#include "session/http_limits.hpp"
#include "session/peer_conversation.hpp"

namespace jrpcheck::session {

/// What says that a session has ended (MCP transports § Session Management).
inline constexpr int kNotFound = 404;

class HttpPeerConversation : public PeerConversation {
 public:
  HttpPeerConversation(std::shared_ptr<transport::Peer> peer, HttpSettings settings,
                       Patience& patience)
      : PeerConversation(peer, patience),
        channel_(std::move(peer), std::move(settings), patience) {}

  Result<bool> open(dialogue::Transcript& transcript) override;
  void begin_case(long long first_control_id) override { channel_.begin_case(first_control_id); }
  bool usable() const override { return usable_; }
  std::vector<LateAnswer> take_late_answers() override;
  void use_control_call(ControlCall call) override { channel_.use_control_call(std::move(call)); }

 protected:
  const ControlCall& control_call() const override { return channel_.settings().control; }
  bool reconnect(dialogue::Transcript& transcript) override;
  void drop() override {
    connection_.reset();
    overdue_.reset();
    channel_.leave_stream();
    usable_ = false;
  }
  Control ask_again(dialogue::Transcript& transcript) override;
  Control ask(Deadline deadline, dialogue::Transcript& transcript) override;
  bool can_reuse_connection();
  /// A response has been waited for in vain; whether it has come when a control call is answered
  /// tells a server that was held up from one that is silent.
  void leave_overdue();

  HttpChannel channel_;
  std::optional<HttpConnection> connection_;
  bool usable_ = false;
  /// What was sent last on the connection may have left something unread.
  bool doubtful_ = false;
  std::set<std::string> last_ids_;  ///< of the call that it has answered last, as of id_keys_of
  /// What came answers the call before the last once more.
  bool answers_the_last(const dialogue::Exchange& exchange);
  std::vector<LateAnswer> late_;
  bool leaves_session_ = false;  ///< on purpose: that there is none is no news
  HttpLimits limits_;
  bool has_served_ = false;  ///< whoever is kept out now was not always

 private:
  bool connect_anew(dialogue::Transcript& transcript);
  Result<bool> begin_session(dialogue::Transcript& transcript);
  Result<bool> send_opening(const std::string& message, dialogue::Transcript& transcript);
  bool is_of_the_call_before(const dialogue::Message& message) const;
  void note_late_answers();
  bool has_overdue_response();
  Control note_unanswered(const dialogue::Exchange& exchange, dialogue::Transcript& transcript);
  Control ask_in_new_session(Deadline deadline, dialogue::Transcript& transcript);
  Control ask_later(dialogue::Transcript& transcript);

  std::set<std::string> before_;  // ids of the call before the last, while the connection stands
  bool is_renewing_ = false;      // a session that has ended meanwhile
  bool is_beginning_ = false;     // one, by the messages of the opening
  std::optional<HttpConnection> overdue_;
};

}  // namespace jrpcheck::session
