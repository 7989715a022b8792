// One line on the terminal that tells how far a long run is.
#pragma once

#include <cstddef>
#include <string>

#include "base/deadline.hpp"
#include "run/runner.hpp"

namespace jrpcheck::cli {

/// Appears only when a run takes longer than a moment, and only when it is wanted.
class ProgressLine : public run::Progress {
 public:
  explicit ProgressLine(bool wanted) : wanted_(wanted) {}

  void advance(std::size_t done, std::size_t total, const std::string& case_id) override;
  /// Takes the line away, so that what follows stands alone.
  void clear();

 private:
  bool wanted_;
  bool shown_ = false;
  Deadline next_ = Deadline::in(milliseconds(400));
};

}  // namespace jrpcheck::cli
