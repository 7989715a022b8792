#include "cli/write_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

namespace jrpcheck::cli {
namespace write_file_test {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
 protected:
  WriteFile() : folder_(fs::path(testing::TempDir()) / ("write" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~WriteFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
};

TEST_F(WriteFile, AFolderIsMadeWithThoseAroundItOrTheErrorSaysWhyNot) {
  EXPECT_TRUE(make_folder(path("a/b")));
  EXPECT_TRUE(fs::is_directory(path("a/b")));
  EXPECT_TRUE(make_folder(path("a/b")));
  ASSERT_TRUE(write_file(path("a/file"), "x"));
  const auto made = make_folder_of("--corpus", path("a/file"));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message,
            "--corpus: the folder '" + path("a/file") + "' cannot be made: it is a file");
  EXPECT_FALSE(make_folder(path("a/file/b")));
  EXPECT_TRUE(make_folder_of("--corpus", ""));
}

TEST_F(WriteFile, WritesTheWholeTextAndLeavesNothingElse) {
  const std::string text("a\0b\r\n", 5);
  ASSERT_TRUE(write_file(path("report.json"), text));
  EXPECT_EQ(content(path("report.json")), text);
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, ReplacesWhatWasThere) {
  ASSERT_TRUE(write_file(path("report.json"), std::string(10'000, 'x')));
  ASSERT_TRUE(write_file(path("report.json"), "short"));
  EXPECT_EQ(content(path("report.json")), "short");
  EXPECT_EQ(files(), 1U);
}

TEST_F(WriteFile, WritesThroughALink) {
  ASSERT_TRUE(write_file(path("target"), "old"));
  fs::create_symlink(path("target"), path("link"));
  ASSERT_TRUE(write_file(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "new");
}

TEST_F(WriteFile, KeepsALinkToAFileThatIsNotThereYet) {
  fs::create_symlink("target", path("link"));
  ASSERT_TRUE(write_file(path("link"), "new"));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "new");
}

TEST_F(WriteFile, KeepsThePermissionsOfTheFileThatWasThere) {
  ASSERT_TRUE(write_file(path("report.json"), "old"));
  fs::permissions(path("report.json"), fs::perms(0640));
  ASSERT_TRUE(write_file(path("report.json"), "new"));
  EXPECT_EQ(fs::status(path("report.json")).permissions(), fs::perms(0640));
  EXPECT_EQ(content(path("report.json")), "new");
}

TEST_F(WriteFile, WritesIntoANamedPipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content(path("pipe")); });
  const auto written = write_file(path("pipe"), std::string(100'000, 'x'));
  reader.join();
  ASSERT_TRUE(written);
  EXPECT_EQ(read.size(), 100'000U);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

// The limit stands for a disk that fills up while the report is written.
TEST_F(WriteFile, WhatDoesNotFitLeavesTheFormerReportAsItWas) {
  ASSERT_TRUE(write_file(path("report.json"), "old"));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = write_file(path("report.json"), std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("File too large"), std::string::npos);
  EXPECT_EQ(content(path("report.json")), "old");
  EXPECT_EQ(files(), 1U);
}

// Run by root, a rename would put a file in the place of the device.
TEST_F(WriteFile, DoesNotReplaceADevice) {
  ASSERT_TRUE(write_file("/dev/null", "gone"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFile, WhatCannotBeWrittenIsAnErrorThatNamesTheFile) {
  const auto missing = write_file(path("no/such/folder/report.json"), "x");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "the file '" + path("no/such/folder/report.json") +
                                         "' cannot be written: No such file or directory");
  const auto folder = write_file(folder_.string(), "x");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message,
            "the file '" + folder_.string() + "' cannot be written: Is a directory");
  const auto full = write_file("/dev/full", std::string(100'000, 'x'));
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message,
            "the file '/dev/full' cannot be written: No space left on device");
  EXPECT_EQ(files(), 0U);
}

}  // namespace write_file_test
}  // namespace jrpcheck::cli
