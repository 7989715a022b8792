// What the codecs have in common: frames found while feeding wait in a queue until they are taken.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "wire/framing.hpp"

namespace jrpcheck::wire {

class QueuedFraming : public Framing {
 public:
  std::optional<Frame> next() final {
    if (frames_.empty()) return std::nullopt;
    Frame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

 protected:
  void deliver(Frame frame) { frames_.push_back(std::move(frame)); }
  void deliver(std::string payload, std::string head = {}) {
    frames_.push_back({std::move(payload), std::move(head), {}});
  }

  void report(std::string violation, std::string bytes, std::string head = {}) {
    frames_.push_back({std::move(bytes), std::move(head), std::move(violation)});
  }
  void report_beyond_limit(std::string limit, std::string bytes, std::string head = {}) {
    report(std::move(limit), std::move(bytes), std::move(head));
    frames_.back().beyond_limit = true;
  }

 private:
  std::deque<Frame> frames_;
};

}  // namespace jrpcheck::wire
