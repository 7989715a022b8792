#include <optional>
#include <utility>

#include "fuzz/conversation_executor.hpp"
#include "fuzz/pipelined_sockets.hpp"
#include "fuzz/pipelined_stream.hpp"
#include "session/framed_connection.hpp"
#include "session/socket_conversation.hpp"

namespace jrpcheck::fuzz {
namespace {

// Far from the numbers of the connections of a conversation.
constexpr std::uint64_t kFirstConnection = 2'000'000;

// With the patience of the corpus an answer is waited for though a call behind it has been
// answered: a message that is left unanswered could not be reduced in time.
Converse hasty(run::StreamAccess access, session::Patience& patience) {
  access.settings.is_hasty = true;
  return [access = std::move(access), &patience] {
    return session::make_socket_conversation(access.peer, access.settings, patience);
  };
}

// Groups go on a connection of their own. What is sent by itself, where connections may be closed
// and servers come and go, is a matter for a conversation.
class SocketExecutor : public Executor {
 public:
  SocketExecutor(run::Endpoint& endpoint, run::StreamAccess access, session::Patience& patience)
      : alone_(make_unpipelined_executor(endpoint)),
        repeating_(make_hasty_executor(endpoint, hasty(access, patience))),
        access_(std::move(access)),
        patience_(patience),
        together_(*access_.settings.binding, access_.settings.control) {}

  std::size_t most_together() const override { return PipelinedStream::kMostTogether; }
  std::size_t bytes_of_call_behind() const override { return together_.bytes_of_control_call(); }
  std::optional<pid_t> process_group() const override { return alone_->process_group(); }
  Executor& for_repeating() override { return *repeating_; }

 private:
  Result<Observed> do_execute(const corpus::Step& step) override { return alone_->execute(step); }

  bool do_send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut> cut) override {
    if (connection_ && connection_->stream.ended()) connection_.reset();
    if (!connection_ && !connect()) return false;
    const Deadline deadline = Deadline::in(patience_.for_answer(false));
    if (together_.send_all(steps, cut, connection_->stream, deadline)) return true;
    connection_.reset();
    return false;
  }

  std::optional<std::vector<Observed>> do_take_all() override {
    // The wait begins now: whoever has sent them had other things to do meanwhile.
    const Deadline deadline = Deadline::in(patience_.for_answer(false, together_.sent_bytes()));
    auto all = together_.take_all(connection_->stream, deadline);
    if (!all) connection_.reset();  // what is still to come belongs to nobody any more
    return all;
  }

  bool connect() {
    dialogue::Transcript aside;
    auto connected =
        session::connect(*access_.peer, access_.settings, kFirstConnection + ++connections_,
                         Deadline::in(patience_.timeout()), aside);
    if (!connected) return false;
    connection_.emplace(*std::move(connected));
    return true;
  }

  std::unique_ptr<Executor> alone_;
  std::unique_ptr<Executor> repeating_;
  run::StreamAccess access_;
  session::Patience& patience_;
  PipelinedStream together_;
  std::optional<session::FramedConnection> connection_;
  std::uint64_t connections_ = 0;
};

}  // namespace

std::unique_ptr<Executor> make_socket_executor(run::Endpoint& endpoint, run::StreamAccess access,
                                               session::Patience& patience) {
  return std::make_unique<SocketExecutor>(endpoint, std::move(access), patience);
}

}  // namespace jrpcheck::fuzz
