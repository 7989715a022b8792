// Eavesdropper: listens in while the framing of a stream is found out, and notices who is no
// JSON-RPC server: one that sends back what it is sent, one that greets in another protocol, a
// program that serves on a port and not on its standard input and output.
#pragma once

#include <memory>
#include <optional>

#include "base/deadline.hpp"
#include "run/options.hpp"
#include "run/stranger.hpp"
#include "session/conversation.hpp"
#include "transport/peer.hpp"

namespace jrpcheck::run {

/// A peer that leads to another one. When it has recognised a stranger all its connections are at
/// their end, so that nobody waits for one any longer.
class Eavesdropper : public transport::Peer {
 public:
  /// What is referred to must outlive this.
  Eavesdropper(transport::Peer& peer, const Options& options, const session::ControlCall& call);
  ~Eavesdropper() override;

  Result<bool> start(Deadline deadline) override { return peer_.start(deadline); }
  Result<transport::Connection> connect(Deadline deadline) override;
  Result<bool> revive(transport::Generation seen, Deadline deadline) override {
    return peer_.revive(seen, deadline);
  }
  transport::Generation generation() const override { return peer_.generation(); }
  bool is_shared() const override { return peer_.is_shared(); }
  std::shared_ptr<transport::Program> program() const override { return peer_.program(); }

  const std::optional<Stranger>& stranger() const;
  /// Who a program is that has been waited for in vain.
  std::optional<Stranger> supposed() const;
  /// Who it is where no framing was found, by what was heard first; nothing where that may be
  /// anybody.
  std::optional<Stranger> by_first_words() const;
  /// Who answers by a status line or a page of HTML, in whatever framing that can be read.
  std::optional<Stranger> speaks_http() const;

 private:
  struct Notes;
  class Stream;

  transport::Peer& peer_;
  std::shared_ptr<Notes> notes_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace jrpcheck::run
