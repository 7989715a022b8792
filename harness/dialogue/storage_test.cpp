#include "dialogue/storage.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

namespace jrpcheck::dialogue {
namespace storage_test {

// What a case leaves behind whose server answers often, and longer than is needed.
Transcript chatter() {
  Transcript transcript;
  transcript.begin_step(0);
  transcript.add(Direction::sent, R"({"jsonrpc":"2.0","method":"a","id":1})");
  for (int i = 0; i < 300; ++i) transcript.add(Direction::received, std::string(400, 'x'));
  transcript.add(Direction::quiet, {}, "no more");
  return transcript;
}

std::size_t bytes_of(const Storage::Kept& kept) {
  std::size_t bytes = 0;
  for (const auto& event : kept.events) bytes += event.bytes.size();
  return bytes;
}

TEST(Storage, KeepsWhatAServerUsuallySays) {
  Storage storage;
  Transcript transcript;
  transcript.add(Direction::sent, "call");
  transcript.add(Direction::received, "answer");
  for (int i = 0; i < 1000; ++i) {
    const auto kept = storage.keep(transcript);
    ASSERT_EQ(kept.events.size(), 2U);
    ASSERT_FALSE(kept.is_folded);
  }
}

TEST(Storage, KeepsTheBeginningAndTheEndOnceItsRoomIsUsedUp) {
  Storage storage;
  const Transcript transcript = chatter();
  std::size_t all = 0;
  Storage::Kept last;
  for (int i = 0; i < 500; ++i) {
    last = storage.keep(transcript);
    all += bytes_of(last);
  }
  EXPECT_LT(all, 12U << 20);
  EXPECT_TRUE(last.is_folded);
  EXPECT_EQ(last.events.front().direction, Direction::sent);
  EXPECT_EQ(last.events.back().direction, Direction::quiet);
  EXPECT_EQ(last.events[last.events.size() - 2].note, kNotKeptNote);
}

}  // namespace storage_test
}  // namespace jrpcheck::dialogue
