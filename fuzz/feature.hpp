// Feature: something that a message has brought, as a number that an engine compares.
#pragma once

#include <cstdint>

namespace jrpcheck::fuzz {

struct Feature {
  std::uint32_t number = 0;
  std::uint8_t count = 1;  ///< how often
  bool is_edge = false;    ///< of the program; else of its replies
};

}  // namespace jrpcheck::fuzz
