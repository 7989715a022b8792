// Executor: sends one message to the server and tells what came of it.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "corpus/case.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "fuzz/company.hpp"
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
  /// It is known to have ended then, and soon after it was asked something: some programs end when
  /// they have nothing to do.
  bool ended_at_work = false;
  /// Whoever calls is refused, in words of HTTP alone (401, 402, 403).
  bool keeps_out = false;
  /// What it was made of, where messages are not pipelined; and in any case the answer to a control
  /// call that has another id.
  std::vector<dialogue::Event> events = {};
  /// What came meanwhile for calls that had been sent before, where messages are not pipelined.
  std::vector<dialogue::Message> late = {};
};

/// When the user interrupts, nothing is sent any more and what was under way is dropped: a wait
/// that was cut short shows nothing.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Starts or reaches the server where that has not been done. What it does is in the result; an
  /// Error means that there is no server any more, or that the user has interrupted.
  Result<Observed> execute(const corpus::Step& step);

  /// Sends several messages, and waits for nothing; the steps live until what they bring is taken.
  /// Where there is a `cut`, the rest behind it goes out when those before it have been answered.
  /// False where the executor does not do that, or
  /// cannot now: then each is to be executed by itself. Until all is taken nothing else is sent.
  bool send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut> cut = {});
  /// Waits for what the first of those have brought, each told by what comes before the answer to
  /// the control call behind it. Nothing where that cannot be told apart: then each is to be
  /// executed by itself.
  std::optional<std::vector<Observed>> take_all();
  /// Not empty: the server has ended while those were under way that were taken last, and how.
  virtual std::string how_it_ended() const { return {}; }
  /// How many messages it sends together at most. More than 32 gain nothing: the server is never
  /// waited for any more.
  virtual std::size_t most_together() const { return 1; }
  /// How many such groups may be under way at a time.
  virtual std::size_t most_groups() const { return 1; }
  /// How long the call is that leaves behind each of them; 0 where they do not leave in one write.
  virtual std::size_t bytes_of_call_behind() const { return 0; }

  /// Whether such a call leaves in one write with a message that is sent by itself as well.
  virtual bool writes_call_behind_each() const { return false; }

  /// Who repeats what has shown a fault, to make it smaller: it may leave an answer alone sooner,
  /// for what comes of that is repeated with care.
  virtual Executor& for_repeating() { return *this; }

  /// The next message meets a server that remembers nothing of those before, where it is started
  /// here for this executor alone.
  virtual void start_anew() {}
  /// The next message goes on a connection of its own: what was sent before is in no read with it.
  /// True where a program is started for that, which has to come up first.
  virtual bool begin_connection() { return false; }

  /// The process group of the server, where it was started here.
  virtual std::optional<pid_t> process_group() const { return std::nullopt; }

 private:
  virtual Result<Observed> do_execute(const corpus::Step& step) = 0;
  virtual bool do_send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut> cut);
  virtual std::optional<std::vector<Observed>> do_take_all() { return std::nullopt; }
};

/// A call, before which a moment passes in which nothing is sent.
corpus::Step call_after_a_moment();

/// A server that ends a moment after its answer is waited for, and its end told as what came of the
/// message that was executed last. An end that comes sooner is taken at once.
void await_end(Executor& executor, Observed& observed);

/// Writes a message in its company, on a connection of its own. Where the bytes are cut, or a
/// program is started for it, a call is answered there first: who has just come up would read both
/// pieces at once, and with them the call that is to show that all was read.
Result<Observed> execute_in_company(Executor& executor, const std::string& message,
                                    const Company& company, const Traits& traits);

/// As careful as a run of the corpus: silence and survival are asked for one after the other.
std::unique_ptr<Executor> make_careful_executor(run::Endpoint& endpoint);

/// As fast as can be; where there is a protocol on top, as fast as its law can be held against what
/// is said. On a stream a control call leaves in one write with each message, so that its
/// answer ends the wait, whatever the message brings, or all but ends it where that overtakes what
/// is due.
std::unique_ptr<Executor> make_fast_executor(run::Endpoint& endpoint, const run::Options& options,
                                             session::Patience& patience,
                                             transport::Guardian& guardian,
                                             bool has_protocol = false);

/// The fast one where messages cannot be pipelined: a response ends each wait, and whether the
/// server survived is asked only after an exchange that did not settle.
std::unique_ptr<Executor> make_unpipelined_executor(run::Endpoint& endpoint);

}  // namespace jrpcheck::fuzz
