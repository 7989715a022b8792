#include "run/role_caller.hpp"

#include <utility>

#include "base/interruption.hpp"
#include "corpus/bindings.hpp"
#include "run/case_verdict.hpp"
#include "run/control_call.hpp"

namespace jrpcheck::run {
namespace {

using json::Kind;

// A server that leaves unknown methods unanswered costs one short wait for each.
constexpr int kMostUnanswered = 8;
constexpr int kMostThatHang = 24;

// After so much time with ends of the server that no call has caused it is asked for no more roles:
// the cases, too, are to have some of it (culprits.cpp).
constexpr microseconds kMostTimeOfRoles = milliseconds(6'000);
constexpr std::size_t kEnoughUnexplained = 3;

// How long after an answer an end of the server is looked for that did not show at once.
constexpr milliseconds kForEndBehindAnswer{400};

}  // namespace

bool RoleCaller::goes_away_again_and_again() const {
  return endings_ != nullptr && endings_->lost_time() >= kMostTimeOfRoles &&
         endings_->unexplained() >= kEnoughUnexplained;
}

Answer RoleCaller::call(std::string_view method, std::string_view params) {
  Answer answer;
  const session::ControlCall call{
      std::string(method),
      corpus::params_with_members(std::string(params), search_.profile.request_members),
      search_.profile.dialect};
  const int most = search_.unknown_hangs ? kMostThatHang : kMostUnanswered;
  // What comes of that is known, and costs a wait each time.
  if (search_.unknown_hangs && method.ends_with(kNobodysMethod)) return answer;
  if (!conversation_.usable() || unanswered_ >= most || goes_away_again_and_again()) {
    return answer;
  }
  const auto begin = Clock::now();
  answer.sent = call.text(id_++);
  const auto step = corpus::step_sending(answer.sent);
  dialogue::Transcript transcript;
  auto exchange = conversation_.exchange(step, transcript);
  std::optional<dialogue::SurvivalCheck> check;
  if (is_left_out(exchange, time_since(begin), transcript, check)) {
    settle_left_out(step, exchange, transcript, check);
  } else if (dialogue_ != nullptr) {
    dialogue_->take(answer.sent, exchange, transcript);
  }
  if (exchange.ending != dialogue::Ending::settled) {
    if (!check) check = conversation_.check_survival(transcript);
    settle_missing(step, *check, exchange, transcript, begin);
  }
  if (const auto death = conversation_.take_unseen_death()) settle_unseen(*death, begin);
  before_ = answer.sent;
  if (!exchange.replies.empty()) answer.received = exchange.replies.front().text();
  if (exchange.ending != dialogue::Ending::settled) {
    ++unanswered_;
    return answer;
  }
  if (exchange.replies.empty()) return answer;
  const auto& reply = exchange.replies.front();
  if (reply.value() != nullptr && reply.value()->is(Kind::object)) answer.message = reply;
  return answer;
}

// Each call is owed an answer (JSON-RPC 2.0 §5), also where that is null, and no case calls a
// method again that has none. Where no later call shows that it is left out the server is asked
// whether it serves, which `check` holds then.
bool RoleCaller::is_left_out(const dialogue::Exchange& exchange, microseconds waited,
                             dialogue::Transcript& transcript,
                             std::optional<dialogue::SurvivalCheck>& check) {
  if (search_.unknown_hangs || search_.patience == nullptr) return false;
  const bool has_closed = exchange.ending == dialogue::Ending::closed && exchange.replies.empty();
  const bool is_overdue =
      exchange.ending == dialogue::Ending::timed_out && waited >= search_.patience->timeout();
  if (is_overdue && exchange.control_answered) return true;
  if (!has_closed && !(is_overdue && search_.are_requests_alone)) return false;
  check = conversation_.check_survival(transcript);
  return check->survival == dialogue::Survival::alive;
}

// One that is slow for once, or on a busy machine, answers when it is called again, and is given
// the whole time for it.
void RoleCaller::settle_left_out(const corpus::Step& step, dialogue::Exchange& exchange,
                                 dialogue::Transcript& transcript,
                                 std::optional<dialogue::SurvivalCheck>& check) {
  search_.patience->forgive();
  const auto begin = Clock::now();
  dialogue::Transcript again;
  auto second = conversation_.exchange(step, again);
  check.reset();
  const bool is_left_out_twice = is_left_out(second, time_since(begin), again, check);
  if (!is_left_out_twice) {
    exchange = std::move(second);
    transcript = std::move(again);
  }
  if (dialogue_ == nullptr) return;
  const auto& call = step.messages.front().text();
  is_left_out_twice ? dialogue_->take_owed(call, exchange, transcript)
                    : dialogue_->take(call, exchange, transcript);
}

// Was it the call that ended the server? Sent once more, it shows; and a server that ends for
// another reason answers it now. One that ends a moment after an answer may have ended so of this
// call, or of the one before, which it had answered.
void RoleCaller::settle_missing(const corpus::Step& step, const dialogue::SurvivalCheck& check,
                                dialogue::Exchange& exchange, dialogue::Transcript& transcript,
                                Clock::time_point begin) {
  if (!is_lost(check.survival) || endings_ == nullptr || is_interrupted()) return;
  if (search_.unknown_hangs) return;  // the name may well be unknown
  const auto is_answered = [&] { return exchange.ending == dialogue::Ending::settled; };
  const bool is_dead = check.survival == dialogue::Survival::dead;
  bool is_caused = !conversation_.usable();
  if (!is_caused) {
    dialogue::Transcript aside;
    exchange = conversation_.exchange(step, aside);
    is_caused = is_answered() ? is_dead && ends_in_a_moment()
                              : is_lost(conversation_.check_survival(aside).survival) &&
                                    !goes_away_anyway(conversation_);
  }
  const bool is_of_before = !is_caused && is_dead && is_of_call_before(check);
  endings_->note_lost(time_since(begin), is_dead);
  if (is_of_before) return;
  if (!is_caused) {
    if (!is_dead && search_.patience != nullptr) search_.patience->note_causeless_hang();
    return endings_->note_unexplained(check, "when methods were tried for roles");
  }
  endings_->note_caused();
  const auto fact = is_dead ? dialogue::Fact::died_of_it : dialogue::Fact::deaf_since;
  dialogue_->note(fact_event(fact, check.standard_error, check.detail),
                  step.messages.front().text(), transcript);
}

void RoleCaller::settle_unseen(const session::UnseenDeath& death, Clock::time_point begin) {
  if (endings_ == nullptr || is_interrupted()) return;
  const dialogue::SurvivalCheck check{dialogue::Survival::dead, death.detail, death.standard_error};
  const bool is_of_before = is_of_call_before(check);
  endings_->note_lost(time_since(begin), true);
  if (!is_of_before) endings_->note_unexplained(check, "when methods were tried for roles");
}

// What it had answered, and then met its end, shows that again behind the same call alone.
bool RoleCaller::is_of_call_before(const dialogue::SurvivalCheck& death) {
  dialogue::Transcript again;
  if (before_.empty() || !conversation_.usable()) return false;
  conversation_.exchange(corpus::step_sending(before_), again);
  if (!ends_in_a_moment()) return false;
  endings_->note_caused();
  dialogue_->note(fact_event(dialogue::Fact::died_later, death.standard_error, death.detail),
                  before_, again);
  return true;
}

bool RoleCaller::ends_in_a_moment() const {
  const Watched watched = watch_until(Deadline::in(kForEndBehindAnswer), conversation_);
  return watched.check.survival == dialogue::Survival::dead &&
         !goes_away_anyway(conversation_, watched.calls);
}

}  // namespace jrpcheck::run
