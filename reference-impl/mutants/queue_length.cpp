#include "reference-impl/mutants/queue_length.hpp"

#include <deque>
#include <utility>

#include "reference-impl/mutants/decorated_framing.hpp"

namespace jrpcheck::reference {

namespace {

/// Reads ahead all messages that have come.
class Queue final : public DecoratedFraming {
 public:
  Queue(std::unique_ptr<wire::Framing> proper, std::shared_ptr<std::atomic<std::size_t>> length)
      : DecoratedFraming(std::move(proper)), length_(std::move(length)) {}

  std::optional<wire::Frame> next() override {
    while (auto frame = DecoratedFraming::next()) frames_.push_back(std::move(*frame));
    *length_ = frames_.size();
    if (frames_.empty()) return std::nullopt;
    wire::Frame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

 private:
  std::shared_ptr<std::atomic<std::size_t>> length_;
  std::deque<wire::Frame> frames_;
};

}  // namespace

Behaviour counting_queue(std::shared_ptr<std::atomic<std::size_t>> length) {
  return framed_by<Queue>(std::move(length));
}

}  // namespace jrpcheck::reference
