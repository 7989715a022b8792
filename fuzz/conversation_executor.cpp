#include "fuzz/conversation_executor.hpp"

#include <algorithm>
#include <utility>

#include "fuzz/control_answer.hpp"
#include "session/http_limits.hpp"
#include "session/incoming.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::fuzz {
namespace {

// Far from the ids of the corpus, and within 32 bits.
constexpr long long kFirstCarefulControlId = 1'700'000'000;
constexpr long long kIdsPerMessage = 16;
constexpr long long kLastCarefulControlId = 1'900'000'000;

// Who ends so soon after an answer was not idle.
constexpr milliseconds kBusy{1'000};

enum class Care {
  all,   // whatever is odd is followed by the question whether the server survived
  some,  // only an exchange that did not settle is
  least  // and none behind which a call was answered
};

std::ptrdiff_t control_calls(const std::vector<dialogue::Event>& events,
                             dialogue::Direction direction) {
  return std::ranges::count_if(events, [direction](const auto& event) {
    return event.is_control && event.direction == direction;
  });
}

// Of who serves on, a Response with an id that nobody has sent is that of a control call which has
// no other. `observed` holds what `whole` begins with; no other rule is about what is said behind
// that.
void add_answers_with_other_ids(const std::vector<dialogue::Event>& whole, const corpus::Step& step,
                                Observed& observed) {
  auto unanswered = control_calls(whole, dialogue::Direction::sent) -
                    control_calls(whole, dialogue::Direction::received);
  const bool is_settled = observed.exchange.ending == dialogue::Ending::settled;
  const auto known = std::ssize(observed.events);
  for (std::ptrdiff_t i = 0; i < std::ssize(whole) && unanswered > 0; ++i) {
    const auto& event = whole[static_cast<std::size_t>(i)];
    const bool is_told = event.note == dialogue::kOtherIdNote;
    const bool is_behind = is_settled && i >= known && !event.is_control &&
                           event.direction == dialogue::Direction::received;
    const bool may_be = (is_behind || event.note == dialogue::kNoCallNote) &&
                        may_be_of_another_call(dialogue::message_of(event), step.messages);
    if (!is_told && !may_be) continue;
    --unanswered;
    if (is_told && i < known) continue;
    observed.events.push_back(event);
    observed.events.back().note = dialogue::kOtherIdNote;
  }
}

class ConversationExecutor : public Executor {
 public:
  ConversationExecutor(run::Endpoint& endpoint, Converse converse, Care care)
      : endpoint_(endpoint),
        converse_(std::move(converse)),
        conversation_(converse_()),
        care_(care) {}

  std::optional<pid_t> process_group() const override { return endpoint_.process_group(); }
  bool begin_connection() override {
    conversation_ = converse_();
    return !endpoint_.is_shared();
  }

 private:
  Result<Observed> do_execute(const corpus::Step& step) override {
    dialogue::Transcript transcript;
    if (auto opened = open(transcript); !opened) return opened.error();
    // Where nothing is listened to meanwhile, time passes all the same.
    if (!endpoint_.binding().is_stream() && step.listen_first_ms > 0) {
      transport::wait_until(Deadline::in(milliseconds(step.listen_first_ms)));
    }
    conversation_->begin_case(next_id_);
    next_id_ =
        next_id_ < kLastCarefulControlId ? next_id_ + kIdsPerMessage : kFirstCarefulControlId;
    Observed observed;
    observed.exchange = conversation_->exchange(step, transcript);
    observed.events = transcript.whole();
    observed.keeps_out = session::keeps_out(observed.exchange);
    const auto ending = observed.exchange.ending;
    const bool is_missing = ending == dialogue::Ending::timed_out;
    const bool may_come_late =
        is_missing || (ending == dialogue::Ending::settled && observed.exchange.replies.empty());
    const bool is_given_up =
        care_ == Care::least && is_missing && observed.exchange.control_answered;
    if (is_given_up) observed.survival.survival = dialogue::Survival::alive;
    if (is_given_up || (step.slow && may_come_late)) {
      // The answer is not to come amid what follows.
      conversation_ = converse_();
      return observed;
    }
    // It may have ended a moment after it had answered.
    if (needs_survival_check(observed.exchange) || !conversation_->usable()) {
      observed.survival = conversation_->check_survival(transcript);
      if (observed.survival.survival == dialogue::Survival::alive) {
        add_answers_with_other_ids(transcript.whole(), step, observed);
      }
    }
    observed.late = conversation_->take_late_answers();
    if (const auto death = conversation_->take_unseen_death()) {
      observed.ended_before = death->detail;
      // Who serves all conversations is never left alone.
      const bool was_busy = endpoint_.is_shared() || time_since(heard_) < kBusy;
      observed.ended_at_work = death->has_exited && was_busy;
    }
    heard_ = Clock::now();
    return observed;
  }

  // A server that has ended since it was reached is brought back, where that is ours to do.
  Result<bool> open(dialogue::Transcript& transcript) {
    if (conversation_->usable()) return true;
    auto opened = conversation_->open(transcript);
    if (opened || !endpoint_.is_shared()) return opened;
    return conversation_->start_anew(transcript);
  }

  bool needs_survival_check(const dialogue::Exchange& exchange) const {
    if (exchange.ending != dialogue::Ending::settled) return true;
    if (care_ != Care::all || exchange.control_answered) return false;
    return !session::outgoing(exchange.sent, corpus::Dialect::json_rpc_2_0).well_formed;
  }

  run::Endpoint& endpoint_;
  Converse converse_;
  std::unique_ptr<session::Conversation> conversation_;
  Care care_;
  long long next_id_ = kFirstCarefulControlId;
  Clock::time_point heard_ = Clock::now();  // when it was listened to last
};

}  // namespace

std::unique_ptr<Executor> make_careful_executor(run::Endpoint& endpoint, Converse converse) {
  return std::make_unique<ConversationExecutor>(endpoint, std::move(converse), Care::all);
}

std::unique_ptr<Executor> make_careful_executor(run::Endpoint& endpoint) {
  return make_careful_executor(endpoint, [&endpoint] { return endpoint.converse(); });
}

std::unique_ptr<Executor> make_unpipelined_executor(run::Endpoint& endpoint) {
  return std::make_unique<ConversationExecutor>(
      endpoint, [&endpoint] { return endpoint.converse(); }, Care::some);
}

std::unique_ptr<Executor> make_hasty_executor(run::Endpoint& endpoint, Converse converse) {
  return std::make_unique<ConversationExecutor>(endpoint, std::move(converse), Care::least);
}

}  // namespace jrpcheck::fuzz
