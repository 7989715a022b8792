// Tells libFuzzer to mutate messages as trees: bytes alone hardly ever stay JSON-RPC. It belongs to
// a target's own sources, because an engine's weak reference does not pull it out of a library.
#include <algorithm>
#include <string>

#include "fuzz/jrpcheck_fuzz.h"
#include "fuzz/mutate.hpp"
#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;

// libFuzzer's own mutations, which know its dictionary; not every engine has them.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size,
                                                      std::size_t max_size);
// Only some handlers name their methods, and other targets are no handlers.
extern "C" [[gnu::weak]] const char* const* jrpcheck_fuzz_methods(void);

namespace {

constexpr std::size_t kBytesOneIn = 8;

const fuzz::Vocabulary& vocabulary() {
  static const fuzz::Vocabulary known = [] {
    fuzz::Vocabulary words;
    if (jrpcheck_fuzz_methods == nullptr) return words;
    for (const auto* name = jrpcheck_fuzz_methods(); *name != nullptr; ++name) {
      words.methods.emplace_back(*name);
    }
    return words;
  }();
  return known;
}

std::size_t copy(const std::string& text, std::uint8_t* bytes, std::size_t max_size) {
  const std::size_t size = std::min(text.size(), max_size);
  std::copy_n(text.begin(), size, bytes);
  return size;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  fuzz::Random random(seed);
  if (LLVMFuzzerMutate != nullptr && random.one_in(kBytesOneIn)) {
    return LLVMFuzzerMutate(bytes, size, max_size);
  }
  fuzz::LastMade none;
  return copy(fuzz::mutate_message(fuzz::text_of(bytes, size), random, vocabulary(), none), bytes,
              max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned seed) {
  fuzz::Random random(seed);
  fuzz::LastMade none;
  return copy(fuzz::cross_over(fuzz::text_of(one, one_size), fuzz::text_of(other, other_size),
                               random, none),
              out, max_size);
}
