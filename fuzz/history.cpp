#include "fuzz/history.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/contains.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kRemembered = 256;

class Shortener {
 public:
  Shortener(const Messages& before, const ShowsAfter& shows, std::size_t budget)
      : before_(before), shows_(shows), budget_(budget) {}

  std::optional<Messages> run() {
    if (!find_suffix()) return std::nullopt;
    for (std::size_t size = (best_.size() + 1) / 2; size > 0; size /= 2) leave_out(size);
    return std::move(best_);
  }

 private:
  bool ask(const Messages& messages) {
    if (spent_ + messages.size() + 1 > budget_) return false;
    spent_ += messages.size() + 1;
    return shows_(messages);
  }

  // What a fault needs has mostly been sent just before.
  bool find_suffix() {
    for (std::size_t size = 1; !before_.empty(); size *= 2) {
      const std::size_t count = std::min(size, before_.size());
      best_.assign(before_.end() - static_cast<std::ptrdiff_t>(count), before_.end());
      if (ask(best_)) return true;
      if (count == before_.size()) return false;
    }
    return false;
  }

  void leave_out(std::size_t size) {
    for (std::size_t from = 0; from < best_.size();) {
      Messages candidate = best_;
      const auto begin = candidate.begin() + static_cast<std::ptrdiff_t>(from);
      const auto count = static_cast<std::ptrdiff_t>(std::min(size, best_.size() - from));
      candidate.erase(begin, begin + count);
      if (ask(candidate)) {
        best_ = std::move(candidate);
      } else {
        from += size;
      }
    }
  }

  const Messages& before_;
  const ShowsAfter& shows_;
  const std::size_t budget_;
  Messages best_;
  std::size_t spent_ = 0;
};

}  // namespace

void History::note(const std::string& message) {
  messages_.push_back(message);
  if (messages_.size() > kRemembered) messages_.pop_front();
}

Messages History::before(const std::string& message) const {
  Messages before(messages_.begin(), messages_.end());
  if (!before.empty() && before.back() == message) before.pop_back();
  return before;
}

Messages History::latest() const {
  Messages latest;
  for (auto each = messages_.rbegin(); each != messages_.rend(); ++each) {
    if (!contains(latest, *each)) latest.push_back(*each);
  }
  return latest;
}

Messages one_of_each_kind(const Messages& messages, const Traits& traits, std::size_t most) {
  Messages chosen;
  std::set<std::string> kinds;
  for (const auto& message : messages) {
    if (chosen.size() == most) break;
    if (kinds.insert(expectation_of(message, traits).kind).second) chosen.push_back(message);
  }
  return chosen;
}

std::optional<Messages> shorten_before(const Messages& before, const ShowsAfter& shows,
                                       std::size_t budget) {
  return Shortener(before, shows, budget).run();
}

}  // namespace jrpcheck::fuzz
