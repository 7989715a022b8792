#include "transport/process_group.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "base/deadline.hpp"
#include "transport/descriptor.hpp"

namespace jrpcheck::transport {
namespace process_group_test {

std::optional<ProcessState> this_process() {
  const auto all = processes_of({::getpgrp()});
  const auto found =
      std::ranges::find_if(all, [](const auto& each) { return each.id == ::getpid(); });
  return found == all.end() ? std::nullopt : std::optional(*found);
}

TEST(ProcessGroup, HoldsThisProcessWhichRunsAndIsInMemory) {
  const auto self = this_process();
  ASSERT_TRUE(self);
  EXPECT_TRUE(is_running(self->id)) << "it is what asks";
  EXPECT_GT(self->pages, 0U);
}

TEST(ProcessGroup, TellsTheTimeThatWorkTakes) {
  const auto before = this_process();
  ASSERT_TRUE(before);
  const Deadline most = Deadline::in(std::chrono::seconds(60));
  auto now = before;
  while (now && now->cpu_ticks < before->cpu_ticks + 2 && !most.passed()) now = this_process();
  ASSERT_TRUE(now);
  EXPECT_GE(now->cpu_ticks, before->cpu_ticks + 2);
}

TEST(ProcessGroup, ThatIsGoneHasNoProcesses) { EXPECT_TRUE(processes_of({0x3FFFFFFF}).empty()); }

TEST(UnreadBytes, AreThoseThatTheOtherSideHasNotTaken) {
  const auto [reading, writing] = make_pipe();
  ASSERT_EQ(::write(writing.get(), "seven!!", 7), 7);
  EXPECT_EQ(unread_bytes(writing.get()), 7U);
  char taken[3];
  ASSERT_EQ(::read(reading.get(), taken, sizeof taken), 3);
  EXPECT_EQ(unread_bytes(writing.get()), 4U);
  EXPECT_FALSE(unread_bytes(-1));
}

}  // namespace process_group_test
}  // namespace jrpcheck::transport
