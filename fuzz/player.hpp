// Player: sends one message to the server and tells what came of it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "dialogue/exchange.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::fuzz {

struct Observed {
  dialogue::Exchange exchange;
  dialogue::SurvivalCheck survival;
  /// Not empty: the server had ended before anything was sent, so that what was sent before may
  /// have done it.
  std::string ended_before = {};
};

class Player {
 public:
  virtual ~Player() = default;

  /// Starts or reaches the server where that has not been done. What it does is in the result; an
  /// Error means that there is no server any more.
  virtual Result<Observed> play(const corpus::Step& step) = 0;

  /// Sends several messages, and waits for nothing. False where the player does not do that, or
  /// cannot now: then each is to be played by itself. Until `take_all` nothing else is played.
  virtual bool send_all(const std::vector<const corpus::Step*>& steps) {
    (void)steps;
    return false;
  }
  /// Waits for what those have brought, each told by what comes before the answer to the control
  /// call behind it. Nothing where that cannot be told apart: then each is to be played by itself.
  virtual std::optional<std::vector<Observed>> take_all() { return std::nullopt; }
  /// Whether it ever does.
  virtual bool plays_several() const { return false; }

  /// The next message meets a server that remembers nothing of those before, where it is started
  /// here for this player alone.
  virtual void start_anew() {}

  /// The process group of the server, where it was started here.
  virtual std::optional<pid_t> process_group() const { return std::nullopt; }
};

/// As careful as a run of the corpus: silence and survival are asked for one after the other.
std::unique_ptr<Player> make_careful_player(run::Endpoint& endpoint);

/// As fast as can be: a control call leaves in one write with each message, so that its answer ends
/// the wait, whatever the message brings. What a server that answers in another order is suspected
/// of for that, the careful player does not confirm. Over HTTP the response ends the wait.
std::unique_ptr<Player> make_fast_player(run::Endpoint& endpoint, const run::Options& options,
                                         session::Patience& patience,
                                         transport::Guardian& guardian);

}  // namespace jrpcheck::fuzz
