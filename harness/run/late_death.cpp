#include "run/late_death.hpp"

#include <iterator>
#include <utility>

#include "base/interruption.hpp"
#include "run/culprits.hpp"
#include "run/endings.hpp"

namespace jrpcheck::run {
namespace {

class Search {
 public:
  Search(const CaseRunner& runner, session::Conversation& conversation, Deadline deadline,
         microseconds watched_for)
      : runner_(runner),
        conversation_(conversation),
        deadline_(deadline),
        watched_for_(watched_for) {}

  std::optional<LateDeath> among(std::vector<std::size_t> ordinals) {
    if (ordinals.empty() || !end_behind(ordinals)) return std::nullopt;
    while (ordinals.size() > 1) {
      const auto half =
          std::next(ordinals.begin(), static_cast<std::ptrdiff_t>(ordinals.size() / 2));
      std::vector<std::size_t> first(ordinals.begin(), half);
      if (end_behind(first)) {
        ordinals = std::move(first);
      } else {
        ordinals.erase(ordinals.begin(), half);
      }
    }
    // A server that ends now and then may have ended behind any of them.
    const auto once = end_behind(ordinals);
    const auto twice = once ? end_behind(ordinals) : std::nullopt;
    if (!twice || goes_away_anyway(conversation_, calls_)) return std::nullopt;
    return LateDeath{ordinals.front(), *twice};
  }

 private:
  bool is_over() const { return is_interrupted() || deadline_.passed(); }

  // What is sent to a server that was not started anew may meet the death by what came before.
  bool starts_anew() {
    const auto before = conversation_.server_generation();
    dialogue::Transcript aside;
    return conversation_.start_anew(aside) && conversation_.server_generation() != before &&
           still_serves(conversation_);
  }

  // How the server has ended behind these, or nothing.
  std::optional<dialogue::SurvivalCheck> end_behind(const std::vector<std::size_t>& ordinals) {
    using dialogue::Survival;
    if (is_over() || !starts_anew()) return std::nullopt;
    for (const std::size_t ordinal : ordinals) {
      const CaseRun run = runner_.run(ordinal, conversation_);
      if (is_over()) return std::nullopt;
      if (const auto unseen = conversation_.take_unseen_death()) {
        return dialogue::SurvivalCheck{Survival::dead, unseen->detail, unseen->standard_error};
      }
      if (run.survival.survival == Survival::dead) return run.survival;
      if (!conversation_.usable()) return std::nullopt;
    }
    const Watched watched = watch_until(Deadline::in(watched_for_), conversation_);
    calls_ = watched.calls;
    if (is_interrupted() || watched.check.survival != Survival::dead) return std::nullopt;
    return watched.check;
  }

  const CaseRunner& runner_;
  session::Conversation& conversation_;
  Deadline deadline_;
  microseconds watched_for_;
  int calls_ = 0;  // that were made behind the cases that ran last
};

}  // namespace

std::optional<LateDeath> find_late_death(std::vector<std::size_t> ordinals,
                                         const CaseRunner& runner,
                                         session::Conversation& conversation, Deadline deadline,
                                         microseconds watched_for) {
  return Search(runner, conversation, deadline, watched_for).among(std::move(ordinals));
}

}  // namespace jrpcheck::run
