// What a target holds the code under test to. A broken promise ends the program, so that every
// engine keeps the input that broke it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jrpcheck::fuzz {

/// Ends the program where the promise does not hold, and prints it with the evidence.
void promise(bool holds, std::string_view promised, std::string_view evidence = {});

/// The bytes of one input, as text.
inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace jrpcheck::fuzz

/// What every engine calls with each input.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);
