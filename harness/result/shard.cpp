#include "result/shard.hpp"

#include <cstdint>

namespace jrpcheck::result {

bool is_in_shard(std::string_view case_id, const Shard& shard) {
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (const char c : case_id) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3U;
  }
  // Its low bits depend on the low bits of the text alone; these are mixed with the high ones.
  hash ^= hash >> 32U;
  hash *= 0x9E3779B97F4A7C15U;
  hash ^= hash >> 29U;
  return hash % shard.count == shard.index;
}

}  // namespace jrpcheck::result
