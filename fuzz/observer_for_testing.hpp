// For tests: whom nobody listens to.
#pragma once

#include <cstddef>

#include "fuzz/finding_log.hpp"

namespace jrpcheck::fuzz {

class SilentObserver : public Observer {
 public:
  void progress(const Tally&, std::size_t) override {}
  void found(const Finding&) override {}
};

}  // namespace jrpcheck::fuzz
