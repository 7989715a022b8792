#include "watch/journal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

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
  EXPECT_FALSE(reader.is_cut_off());
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

const std::string kPiece(100'000, 'x');

/// A writer whose reader stands still until `read`.
class JournalOfASlowReader : public testing::Test {
 protected:
  void SetUp() override {
    transport::ignore_broken_pipes();
    auto [reading, writing] = transport::make_pipe();
    writer_ = std::make_unique<JournalWriter>(std::move(writing));
    reader_.emplace(std::move(reading));
  }
  void say(std::uint32_t connection, std::string_view bytes) {
    writer_->write(Kind::bytes, Side::client, connection, bytes);
  }
  void fill(std::uint32_t connection) {
    for (int i = 0; i < 100; ++i) say(connection, kPiece);
  }
  // In the background, for a writer may wait for it.
  void begin_to_read() {
    rest_ = std::thread([this] {
      while (auto entry = reader_->next()) {
        if (entry->kind == Kind::lost) ++losses_;
        entries_.push_back(*std::move(entry));
      }
    });
  }
  void end() {
    writer_.reset();
    rest_.join();
  }
  // "lost 1", "over 2", and of bytes nothing but theirs: "3 hello".
  std::vector<std::string> told() const {
    std::vector<std::string> lines;
    for (const auto& each : entries_) {
      const std::string of = std::to_string(each.connection);
      if (each.kind == Kind::lost) lines.push_back("lost " + of + each.bytes);
      if (each.kind == Kind::over) lines.push_back("over " + of);
      if (each.kind == Kind::bytes && each.bytes != kPiece) lines.push_back(of + " " + each.bytes);
    }
    return lines;
  }

  std::unique_ptr<JournalWriter> writer_;
  std::optional<JournalReader> reader_;
  std::vector<JournalEntry> entries_;
  std::atomic<std::size_t> losses_ = 0;
  std::thread rest_;
};

using Lines = std::vector<std::string>;

TEST_F(JournalOfASlowReader, WhatLostSomethingIsToldAndNoneOfItsBytesFollow) {
  const auto begin = Clock::now();
  fill(1);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5)) << "the traffic waited for each";
  begin_to_read();
  // It is told once it reads again.
  const auto deadline = Deadline::in(std::chrono::seconds(10));
  while (losses_ == 0 && !deadline.passed()) {
    say(1, "after");
    std::this_thread::yield();
  }
  say(2, "whole");
  writer_->write(Kind::closed, Side::server, 1, {});
  writer_->write(Kind::over, Side::client, 1, {});
  end();
  EXPECT_EQ(told(), (Lines{"lost 1", "2 whole", "over 1"}));
  EXPECT_GT(entries_.size(), 5U) << "what came before the gap is told";
  EXPECT_FALSE(reader_->is_cut_off());
}

TEST_F(JournalOfASlowReader, ConnectionWhoseBeginningWasLostIsNotToldFromItsMiddle) {
  fill(1);
  say(2, "begins");
  begin_to_read();
  const auto deadline = Deadline::in(std::chrono::seconds(10));
  while (losses_ < 2 && !deadline.passed()) {
    say(2, "goes on");
    std::this_thread::yield();
  }
  end();
  EXPECT_EQ(told(), (Lines{"lost 1", "lost 2"}));
}

TEST_F(JournalOfASlowReader, LossesThatArePendingWhenTheWriterEndsAreTold) {
  fill(1);
  say(2, "begins");
  begin_to_read();
  end();
  EXPECT_EQ(told(), (Lines{"lost 1", "lost 2"}));
  EXPECT_FALSE(reader_->is_cut_off());
}

TEST_F(JournalOfASlowReader, ConnectionThatOnlyEndedMeanwhileHasLostNothing) {
  say(1, "whole");
  fill(2);
  writer_->write(Kind::over, Side::client, 1, {});
  begin_to_read();
  end();
  EXPECT_EQ(told(), (Lines{"1 whole", "over 1", "lost 2"}));
}

TEST_F(JournalOfASlowReader, ConnectionsThatCameAndWentMeanwhileAreCounted) {
  fill(1);
  for (std::uint32_t connection = 2; connection < 5; ++connection) {
    say(connection, "hello");
    writer_->write(Kind::over, Side::client, connection, {});
  }
  writer_->write(Kind::over, Side::client, 1, {});
  begin_to_read();
  end();
  EXPECT_EQ(told(), (Lines{"lost 1", "over 1", "lost 03"}));
}

TEST(Journal, WriterThatEndsWithoutAWordIsToldFromOneThatSaysSo) {
  auto [reading, writing] = transport::make_pipe();
  JournalReader reader(std::move(reading));
  writing.reset();
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.is_cut_off());
}

}  // namespace journal_test
}  // namespace jrpcheck::watch
