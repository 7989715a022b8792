#include "transport/work_together.hpp"

#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/failure.hpp"

namespace jrpcheck::transport {

std::string work_together(std::size_t workers, const std::function<void()>& work) {
  std::mutex mutex;
  std::string first;
  const auto guarded = [&] {
    std::string failure = failure_of(work);
    const std::lock_guard lock(mutex);
    if (first.empty()) first = std::move(failure);
  };
  {
    std::vector<std::jthread> others;
    try {
      while (others.size() + 1 < workers) others.emplace_back(guarded);
    } catch (const std::exception&) {
      // The others do the work.
    }
    guarded();
  }
  return first;
}

}  // namespace jrpcheck::transport
