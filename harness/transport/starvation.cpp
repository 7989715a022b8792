#include "transport/starvation.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace jrpcheck::transport {
namespace {

// An answer takes less than this of a processor, or is slow by itself.
constexpr milliseconds kTurn{50};

// Nobody has been seen to wait for so long.
constexpr milliseconds kLongest{10'000};

class Starvation : public Deferral {
 public:
  explicit Starvation(std::shared_ptr<Worker> worker) : worker_(std::move(worker)) {}

  bool defers() override {
    const auto use = worker_->processor_use();
    if (!use || !use->wants_more) return false;
    if (!used_at_first_) {
      used_at_first_ = use->used;
      end_ = Deadline::in(kLongest);
    }
    return use->used - *used_at_first_ < kTurn && !end_.passed();
  }

 private:
  std::shared_ptr<Worker> worker_;
  std::optional<std::chrono::nanoseconds> used_at_first_;  // when the deadline had come
  Deadline end_ = Deadline::in(kLongest);
};

}  // namespace

Deadline due_in(microseconds wait, std::shared_ptr<Worker> worker) {
  if (!worker) return Deadline::in(wait);
  return Deadline::in(wait).held_back_by(std::make_shared<Starvation>(std::move(worker)));
}

}  // namespace jrpcheck::transport
