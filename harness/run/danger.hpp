// What ends servers most often: asked last of one that nobody here can start again.
#pragma once

#include "corpus/case.hpp"

namespace jrpcheck::run {

/// From what servers live through to what they die of most.
enum class Danger {
  none,    ///< Requests, alone and in batches, whatever is wrong with their members
  broken,  ///< texts that are no JSON, odd transport, inherited names
  weight,  ///< depth and length
  kinds,   ///< values that are no Object, alone and in batches: null above all
};

Danger danger_of(const corpus::Case& bound);

}  // namespace jrpcheck::run
