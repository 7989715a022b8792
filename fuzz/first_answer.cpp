#include "fuzz/first_answer.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "corpus/profile.hpp"
#include "judge/code.hpp"
#include "run/await_start.hpp"
#include "run/first_answers.hpp"
#include "run/framing_discovery.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::fuzz {
namespace {

// Far from those of other calls.
constexpr long long kFirstCallWhileStarting = 1'230'000'000;

std::optional<long long> refusal_in(const dialogue::Exchange& exchange) {
  const auto& replies = exchange.replies;
  const json::Value* value = replies.empty() ? nullptr : replies.front().value();
  return value != nullptr ? judge::error_code_of(*value) : std::nullopt;
}

}  // namespace

std::optional<Error> refusal_without_handshake(const dialogue::Exchange& first,
                                               const run::Options& options) {
  constexpr std::size_t kMostOfRefusal = 200;
  if (!options.opening.messages.empty() || !run::says_it_wants_handshake({first})) {
    return std::nullopt;
  }
  std::string openings;
  for (const auto& profile : corpus::embedded_profiles()) {
    if (profile.opening.empty() || !profile.version.empty()) continue;
    openings += "--opening " + profile.name + " sends that of " + profile.title + ", ";
  }
  return Error{"the server wants a handshake before it serves (" +
               to_visible(first.replies.front().text(), kMostOfRefusal) + "): " + openings +
               "--opening FILE the messages of a file"};
}

Result<bool> await_start(const dialogue::Exchange& first, session::Conversation& conversation,
                         run::Endpoint& endpoint, const run::Options& options,
                         session::Patience& patience) {
  if (!run::says_it_starts({first})) return false;
  dialogue::Transcript aside;
  if (!conversation.usable()) {
    if (auto opened = conversation.open(aside); !opened) return opened.error();
  }
  constexpr milliseconds kLongestPause{2000};
  constexpr std::size_t kMostShown = 200;
  const auto begin = Clock::now();
  const Deadline deadline = Deadline::at(begin + options.start_bound());
  session::ControlCall control = endpoint.control_call();
  dialogue::Exchange now;
  milliseconds pause{100};  // longer each time: some go on starting only while nothing comes
  long long id = kFirstCallWhileStarting;
  do {
    transport::wait_until(Deadline::earlier(deadline, Deadline::in(pause)));
    pause = std::min(2 * pause, kLongestPause);
    now = conversation.exchange(corpus::step_sending(control.text(id++)), aside);
  } while (run::says_it_starts({now}) && !deadline.passed() && !is_interrupted());
  // Where only the words change, nobody knows of which program they are.
  const bool is_told_apart = options.command.empty() || refusal_in(now) != refusal_in(first);
  if (run::says_it_starts({now}) || !is_told_apart) {
    return Error{"the server says that it still starts (" +
                 to_visible(first.replies.front().text(), kMostShown) +
                 "); wait for it, or give it longer with --start-timeout"};
  }
  if (options.command.empty()) return true;
  patience.learn_start_up(time_since(begin));
  control.not_yet = {{.at = "/error/code", .equals = std::to_string(*refusal_in(first))}};
  endpoint.use_control_call(control);
  conversation.use_control_call(control);
  return true;
}

std::optional<Error> early_end(const dialogue::Exchange& first, session::Conversation& conversation,
                               const run::Options& options) {
  constexpr std::string_view kProgram = "the program ";
  const bool may_have_ended =
      first.ending == dialogue::Ending::exited || first.ending == dialogue::Ending::closed;
  if (options.command.empty() || !first.replies.empty() || !may_have_ended) return std::nullopt;
  dialogue::Transcript aside;
  const auto end = conversation.check_survival(aside);
  if (end.survival != dialogue::Survival::dead || !end.detail.starts_with(kProgram)) {
    return std::nullopt;
  }
  return Error{run::ended_too_early(options.command.front(), end.detail.substr(kProgram.size()),
                                    end.standard_error)};
}

}  // namespace jrpcheck::fuzz
