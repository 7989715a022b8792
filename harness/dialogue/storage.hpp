// Storage: how much of the dialogues of one run is kept.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

#include "dialogue/transcript.hpp"

namespace jrpcheck::dialogue {

/// Shared by all conversations of a run. What a server that answers as it should makes of the whole
/// corpus is a twentieth of what there is room for.
class Storage {
 public:
  struct Kept {
    std::vector<Event> events;
    /// Whether something is missing that the judge reads.
    bool is_folded = false;
  };

  /// What to keep of a case's events. Once the room is used up, of long ones only the beginning and
  /// what says how they ended.
  Kept keep(const Transcript& transcript);

 private:
  std::atomic<std::size_t> used_{0};
};

}  // namespace jrpcheck::dialogue
