// Pipeline: messages that are under way together, so that no time is spent on waiting.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/executor.hpp"
#include "fuzz/expectation.hpp"

namespace jrpcheck::fuzz {

/// Messages, what is expected of each, and what came of each; nothing where that could not be told
/// apart.
struct Group {
  std::vector<std::string> messages = {};
  std::vector<Expectation> expectations = {};
  std::optional<Cut> cut = {};  ///< where its bytes arrive apart
  std::optional<std::vector<Observed>> observed = {};
  bool is_lost = false;    ///< it was sent, and what came of it could not be told apart
  std::string ended = {};  ///< not empty: how the server ended meanwhile
};

class Pipeline {
 public:
  explicit Pipeline(Executor& executor) : executor_(executor), width_(executor.most_together()) {}

  /// So many messages are sent together now. 1: each is sent and waited for by itself.
  std::size_t width() const { return width_; }
  void widen();
  /// What came of a group could not be told apart: fewer are sent together, and where one is left,
  /// so for a time that grows.
  void narrow();
  /// A message was sent by itself, as `width` says.
  void note_alone();
  /// The next messages are sent by themselves, unless a group that is still under way fits
  /// together.
  void narrow_to_one() {
    width_ = 1;
    is_for_good_ = true;
  }

  /// Sends a group and waits for nothing. False where the executor cannot.
  bool send(Group& group);
  /// Whether one has to be taken first.
  bool is_full() const { return sent_.size() >= executor_.most_groups(); }
  /// How many messages.
  std::size_t under_way() const;
  /// Waits for the group that was sent first; an empty one where none is under way.
  Group take();
  /// Waits for all.
  std::deque<Group> take_all();

 private:
  Executor& executor_;
  std::size_t width_;
  bool is_for_good_ = false;     // that one is sent by itself
  std::size_t left_alone_ = 0;   // so many more are
  std::size_t next_alone_ = 64;  // and so many, the next time
  std::deque<Group> sent_;
};

}  // namespace jrpcheck::fuzz
