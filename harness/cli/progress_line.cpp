#include "cli/progress_line.hpp"

#include <iostream>

namespace jrpcheck::cli {

void ProgressLine::advance(std::size_t done, std::size_t total, const std::string& case_id) {
  if (!wanted_ || !next_.passed()) return;
  next_ = Deadline::in(milliseconds(100));
  shown_ = true;
  std::cerr << "\r\033[K" << done << " of " << total << "  " << case_id << std::flush;
}

void ProgressLine::clear() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
  shown_ = false;
}

}  // namespace jrpcheck::cli
