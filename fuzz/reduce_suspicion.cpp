#include <utility>

#include "fuzz/blame.hpp"
#include "fuzz/confirm.hpp"
#include "fuzz/reduce.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kTries = 400;
// For all of an investigation.
constexpr std::size_t kInvestigationExchanges = 900;
constexpr milliseconds kReducing{5'000};

// A message of another kind that shows the same fault may be smaller, but says less of it. Where
// the fault shows in a plainer one, it is that one's, and what it is charged to there.
//
// A second fault in the message would leave open which of them the server trips over.
bool shows_the_same(const judge::Finding& finding, bool is_faulty, const judge::Finding& original,
                    bool was_faulty) {
  const bool is_of_any_message =
      finding.requirement == "rob-survives" || judge::is_envelope_requirement(finding.requirement);
  if (is_of_any_message) return finding.requirement == original.requirement;
  return explains(finding, original) && (!is_faulty || was_faulty);
}

// Time and exchanges that one reduction may take.
class Effort {
 public:
  explicit Effort(const Repeater& repeater)
      : repeater_(repeater), deadline_(Deadline::in(kReducing)) {}
  bool is_spent() const {
    return deadline_.passed() || repeater_.exchanges() > kInvestigationExchanges;
  }

 private:
  const Repeater& repeater_;
  Deadline deadline_;
};

Messages reduced_before(const Suspicion& suspicion, const std::string& message,
                        const Effort& effort, Repeater& repeater) {
  Messages before = suspicion.before;
  for (auto& each : before) {
    const std::string whole = each;
    const auto shows = [&](const std::string& candidate) {
      if (effort.is_spent() || !repeater.can_send(candidate)) return false;
      each = candidate;
      repeater.start_anew();
      return repeater.repeat(message, &suspicion.finding, before).has_value();
    };
    // Each try leaves what it has tried.
    std::string shortest = reduce(whole, shows, kTries);
    each = std::move(shortest);
  }
  return before;
}

}  // namespace

Suspicion reduced(Suspicion suspicion, Repeater& repeater) {
  const Effort effort(repeater);
  const bool was_faulty = repeater.is_faulty(suspicion.sent);
  const auto shows = [&](const std::string& candidate) {
    if (effort.is_spent()) return false;
    if (!suspicion.before.empty()) repeater.start_anew();
    const auto found = repeater.repeat(candidate, &suspicion.finding, suspicion.before);
    return found && shows_the_same(found->finding, repeater.is_faulty(candidate), suspicion.finding,
                                   was_faulty);
  };
  const std::string message = reduce(suspicion.sent, shows, kTries);
  const Messages before = reduced_before(suspicion, message, effort, repeater);
  auto again = repeater.repeat_carefully(message, &suspicion.finding, before);
  if (again) return *std::move(again);
  auto whole = repeater.repeat_carefully(suspicion.sent, &suspicion.finding, suspicion.before);
  return whole ? *std::move(whole) : std::move(suspicion);
}

Suspicion reduced_with_itself(Suspicion suspicion, Repeater& repeater) {
  const Effort effort(repeater);
  const auto shows = [&](const std::string& candidate) {
    if (effort.is_spent()) return false;
    repeater.start_anew();
    return repeater.repeat(candidate, &suspicion.finding, {candidate}).has_value();
  };
  const std::string message = reduce(suspicion.sent, shows, kTries);
  if (shows_after_itself(message, suspicion, repeater)) suspicion.sent = message;
  suspicion.before = {suspicion.sent};
  repeater.start_anew();
  auto again = repeater.repeat(suspicion.sent, &suspicion.finding, suspicion.before);
  return again ? *std::move(again) : std::move(suspicion);
}

}  // namespace jrpcheck::fuzz
