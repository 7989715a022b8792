#include <optional>
#include <utility>

#include "corpus/reply_count.hpp"
#include "fuzz/executor.hpp"
#include "fuzz/pipelined_sockets.hpp"
#include "fuzz/pipelined_stream.hpp"
#include "fuzz/pooled_http.hpp"
#include "session/framed_stream.hpp"
#include "session/stream_opening.hpp"
#include "transport/peer.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Ending;
using dialogue::Survival;

// A process whose output has ended is usually about to be reaped.
constexpr milliseconds kReaping{500};
// Who ends so soon after an answer was not idle.
constexpr milliseconds kAtWork{1'000};

class PipelinedExecutor : public Executor {
 public:
  PipelinedExecutor(const run::Options& options, const wire::Binding& binding,
                    session::Patience& patience, transport::Guardian& guardian)
      : peer_(transport::make_program_peer(options.command, guardian)),
        opening_(options.opening),
        binding_(binding),
        patience_(patience),
        together_(binding, run::unknown_control_call()) {}

  ~PipelinedExecutor() override {
    if (connection_.program) connection_.program->end(transport::kGrace);
  }
  PipelinedExecutor(const PipelinedExecutor&) = delete;
  PipelinedExecutor& operator=(const PipelinedExecutor&) = delete;

  std::size_t most_together() const override { return PipelinedStream::kMostTogether; }
  std::size_t bytes_of_call_behind() const override { return together_.bytes_of_control_call(); }
  bool writes_call_behind_each() const override { return true; }
  std::string how_it_ended() const override { return ended_; }
  void start_anew() override { stream_.reset(); }
  std::optional<pid_t> process_group() const override {
    return connection_.program ? connection_.program->group() : std::nullopt;
  }

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    Observed observed;
    if (stream_ && stream_->ended()) {
      const bool was_at_work = time_since(heard_) < kAtWork;
      const std::string how = how_program_ended();
      observed.ended_before = how.empty() ? "the program closed its output" : how;
      observed.ended_at_work = was_at_work && !how.empty();
      stream_.reset();
    }
    if (!stream_) {
      if (auto opened = open(); !opened) return opened.error();
    }
    exchange(step, observed);
    if (observed.survival.survival != Survival::alive) stream_.reset();
    return observed;
  }

  bool do_send_all(const std::vector<const corpus::Step*>& steps, std::optional<Cut> cut) override {
    if (!stream_ || stream_->ended() || is_fresh_ || together_.is_out_of_order()) return false;
    const Deadline deadline = Deadline::in(patience_.for_answer(false));
    if (together_.send_all(steps, cut, *stream_, deadline)) return true;
    if (!stream_->ended()) stream_.reset();
    return false;
  }

  std::optional<std::vector<Observed>> do_take_all() override {
    // The wait begins now: whoever has sent them had other things to do meanwhile.
    auto all = together_.take_all(*stream_, deadline_for(together_.sent_bytes()));
    heard_ = Clock::now();
    ended_.clear();
    if (all) return all;
    if (stream_->ended()) ended_ = how_program_ended();
    stream_.reset();  // what is still to come belongs to nobody any more
    return std::nullopt;
  }

  Result<bool> open() {
    stream_.reset();
    connection_ = {};
    auto opened = peer_->connect(Deadline::in(patience_.for_start()));
    if (!opened) return opened.error();
    connection_ = *std::move(opened);
    stream_.emplace(*connection_.stream, binding_);
    dialogue::Transcript aside;
    for (const auto& message : opening_.messages) {
      const Deadline deadline = Deadline::in(patience_.for_start());
      if (session::answer_of_opening(message, opening_.answers, *stream_, binding_, deadline,
                                     aside))
        continue;
      auto unanswered =
          session::unanswered_opening(message, *stream_, binding_, std::nullopt, microseconds(0),
                                      connection_.program->standard_error_tail());
      stream_.reset();
      return unanswered;
    }
    is_fresh_ = true;
    return true;
  }

  // Empty where it runs.
  std::string how_program_ended() const {
    const auto how = connection_.program->ended(Deadline::in(kReaping));
    return how ? "the program " + how->text() : std::string();
  }

  // A program that has just been started may take its time to come up.
  Deadline deadline_for(std::size_t bytes) {
    const bool fresh = std::exchange(is_fresh_, false);
    return Deadline::in(fresh ? patience_.for_start() : patience_.for_answer(false, bytes));
  }

  void exchange(const corpus::Step& step, Observed& observed) {
    const std::string bytes = together_.begin_alone(step, *stream_);
    const Deadline deadline = deadline_for(bytes.size());
    stream_->send(bytes, deadline);
    auto taken = together_.take_alone(*stream_, deadline, patience_.tail(1));
    observed.exchange = std::move(taken.exchange);
    observed.events = std::move(taken.events);
    heard_ = Clock::now();
    conclude(corpus::count_replies(step).least, observed);
  }

  void conclude(std::size_t least, Observed& observed) {
    auto& exchange = observed.exchange;
    auto& survival = observed.survival;
    exchange.unfinished = stream_->unfinished();
    if (exchange.control_answered) {
      survival.survival = Survival::alive;
      if (exchange.replies.size() < least) {
        exchange.ending = Ending::timed_out;
        exchange.detail = "no answer, while a later call was answered";
      }
      return;
    }
    if (stream_->ended()) {
      const std::string how = how_program_ended();
      exchange.ending = how.empty() ? Ending::closed : Ending::exited;
      survival.survival = how.empty() ? Survival::deaf : Survival::dead;
      survival.detail = how.empty() ? "the program runs, and has closed its output" : how;
      survival.standard_error = connection_.program->standard_error_tail();
      return;
    }
    exchange.ending = Ending::timed_out;
    exchange.detail = "nothing is answered any more";
    survival.survival = Survival::deaf;
    survival.detail = "the program runs, and answers nothing on this stream any more";
  }

  std::unique_ptr<transport::Peer> peer_;
  transport::Connection connection_;
  session::Opening opening_;
  const wire::Binding& binding_;
  session::Patience& patience_;
  PipelinedStream together_;
  std::optional<session::FramedStream> stream_;
  bool is_fresh_ = true;
  Clock::time_point heard_ = Clock::now();  // when it was listened to last
  std::string ended_;                       // how, while a group was under way
};

}  // namespace

std::unique_ptr<Executor> make_fast_executor(run::Endpoint& endpoint, const run::Options& options,
                                             session::Patience& patience,
                                             transport::Guardian& guardian, bool has_protocol) {
  if (has_protocol) return make_unpipelined_executor(endpoint);
  if (auto access = endpoint.stream_access()) {
    return make_socket_executor(endpoint, *std::move(access), patience);
  }
  if (auto access = endpoint.http_access()) {
    return make_pooled_executor(endpoint, *std::move(access), patience);
  }
  // A conversation waits for a program that still starts.
  const bool may_still_start = !endpoint.control_call().not_yet.empty();
  if (!endpoint.binding().is_stream() || endpoint.is_shared() || may_still_start)
    return make_unpipelined_executor(endpoint);
  return std::make_unique<PipelinedExecutor>(options, endpoint.binding(), patience, guardian);
}

}  // namespace jrpcheck::fuzz
