// How much of a run goes on at once.
#pragma once

#include <cstddef>

#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"

namespace jrpcheck::run {

/// On how many conversations a run goes on at once.
struct Jobs {
  std::size_t shared = 1;  ///< each has one case after the other
  std::size_t apart = 0;   ///< beside them: each case has one of its own, and a program with it
};

/// Where nothing forbids it: as many as were asked for, or as hide the round trip and the time that
/// a program takes to start.
Jobs jobs_for(const Options& options, const Endpoint& endpoint, std::size_t cases,
              const session::Patience& patience);

}  // namespace jrpcheck::run
