#include "transport/empty_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "transport/peer.hpp"

namespace jrpcheck::transport {
namespace empty_folder_test {

namespace fs = std::filesystem;

TEST(EmptyFolder, GoesWithAllThatWasPutThere) {
  auto guardian = Guardian::start();
  ASSERT_TRUE(guardian);
  std::string path;
  {
    const auto folder = EmptyFolder::make(**guardian);
    ASSERT_TRUE(folder) << folder.error().message;
    path = (*folder)->path();
    EXPECT_TRUE(std::filesystem::is_empty(path));
    EXPECT_TRUE((*folder)->uri().starts_with("file:///")) << (*folder)->uri();
    std::filesystem::create_directories(path + "/.cache/deep");
    std::ofstream(path + "/.cache/deep/file") << "x";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(EmptyFolder, OfAProgramIsItsOwnAndGoesWithIt) {
  auto guardian = Guardian::start();
  ASSERT_TRUE(guardian);
  const auto peer = make_program_peer({"cat"}, **guardian, true);
  auto first = peer->connect(Deadline::in(milliseconds(5000)));
  auto second = peer->connect(Deadline::in(milliseconds(5000)));
  ASSERT_TRUE(first && second);
  const std::string path = first->program->folder()->path();
  const std::string other = second->program->folder()->path();
  EXPECT_NE(path, other);
  std::ofstream(path + "/file") << "x";
  EXPECT_TRUE(fs::is_empty(other));
  *first = {};
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(fs::exists(other)) << "it goes with its own program alone";
  *second = {};
  EXPECT_FALSE(fs::exists(other));
}

TEST(EmptyFolder, IsGivenToNobodyWhoNeedsNone) {
  auto guardian = Guardian::start();
  ASSERT_TRUE(guardian);
  const auto peer = make_program_peer({"cat"}, **guardian);
  auto connected = peer->connect(Deadline::in(milliseconds(5000)));
  ASSERT_TRUE(connected);
  EXPECT_EQ(connected->program->folder(), nullptr);
}

}  // namespace empty_folder_test
}  // namespace jrpcheck::transport
