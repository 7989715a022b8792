#include "watch/journal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

namespace jrpcheck::watch {
namespace journal_test {

using dialogue::Side;
using Kind = JournalEntry::Kind;

TEST(Journal, EntriesComeAsTheyWereWritten) {
  transport::ignore_broken_pipes();
  auto [reading, writing] = transport::make_pipe();
  JournalReader reader(std::move(reading));
  {
    JournalWriter writer(std::move(writing));
    writer.write(Kind::bytes, Side::client, 7, "hello");
    writer.write(Kind::closed, Side::server, 8, "");
  }
  const auto first = reader.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->bytes, "hello");
  EXPECT_EQ(first->connection, 7U);
  EXPECT_EQ(first->side, Side::client);
  const auto second = reader.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->kind, Kind::closed);
  EXPECT_EQ(second->side, Side::server);
  EXPECT_FALSE(reader.next());
}

TEST(Journal, LargePiecesAreDivided) {
  auto [reading, writing] = transport::make_pipe();
  JournalReader reader(std::move(reading));
  const std::string large(3U << 20, 'x');
  std::thread thread([&, pipe = std::move(writing)]() mutable {
    JournalWriter(std::move(pipe)).write(Kind::bytes, Side::client, 1, large);
  });
  std::size_t size = 0;
  while (const auto entry = reader.next()) size += entry->bytes.size();
  thread.join();
  EXPECT_EQ(size, large.size());
}

// The traffic goes on whatever becomes of the one that judges it.
TEST(Journal, ReaderThatIsGoneStopsNobody) {
  transport::ignore_broken_pipes();
  auto [reading, writing] = transport::make_pipe();
  reading.reset();
  JournalWriter writer(std::move(writing));
  for (int i = 0; i < 1000; ++i) writer.write(Kind::bytes, Side::client, 1, "hello");
}

TEST(Journal, ReaderThatGoesOnIsToldThatSomethingIsMissing) {
  transport::ignore_broken_pipes();
  auto [reading, writing] = transport::make_pipe();
  auto writer = std::make_unique<JournalWriter>(std::move(writing));
  JournalReader reader(std::move(reading));
  const std::string piece(100'000, 'x');
  const auto begin = Clock::now();
  for (int i = 0; i < 100; ++i) writer->write(Kind::bytes, Side::client, 1, piece);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5)) << "the traffic waited for each";
  std::size_t whole = 0;
  std::atomic<std::size_t> lost = 0;
  std::string last;
  std::jthread rest([&] {
    while (const auto entry = reader.next()) {
      if (entry->kind == Kind::lost) ++lost;
      if (entry->bytes == piece) ++whole;
      last = entry->bytes;
    }
  });
  // It is told once it reads again, and what follows is whole.
  const auto deadline = Deadline::in(std::chrono::seconds(10));
  while (lost == 0 && !deadline.passed()) {
    writer->write(Kind::bytes, Side::client, 1, "after");
    std::this_thread::yield();
  }
  writer.reset();
  rest.join();
  EXPECT_GT(whole, 5U);
  EXPECT_LT(whole, 100U);
  EXPECT_GE(lost, 1U);
  EXPECT_EQ(last, "after");
}

}  // namespace journal_test
}  // namespace jrpcheck::watch
