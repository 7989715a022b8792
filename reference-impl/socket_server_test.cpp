#include "reference-impl/socket_server.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace jrpcheck::reference {
namespace socket_server_test {

class SocketPath : public ::testing::Test {
 protected:
  static std::string new_folder() {
    std::string folder = (std::filesystem::temp_directory_path() / "socket-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) std::abort();
    return folder;
  }
  ~SocketPath() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = new_folder();
  const std::string path_ = folder_ + "/socket";
};

TEST_F(SocketPath, GoesWithItsServer) {
  {
    const auto server = SocketServer::on_path(path_);
    ASSERT_TRUE(server) << server.error().message;
    EXPECT_TRUE(std::filesystem::is_socket(path_));
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SocketPath, IsTakenFromAServerThatHasDied) {
  const std::string left = folder_ + "/left";
  {
    const auto dead = SocketServer::on_path(path_);
    ASSERT_TRUE(dead) << dead.error().message;
    std::filesystem::create_hard_link(path_, left);
  }
  const auto server = SocketServer::on_path(left);
  EXPECT_TRUE(server) << server.error().message;
}

TEST_F(SocketPath, IsNotTakenFromAServerThatLives) {
  const auto first = SocketServer::on_path(path_);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_FALSE(SocketServer::on_path(path_));
  EXPECT_TRUE(std::filesystem::is_socket(path_));
}

TEST_F(SocketPath, IsRefusedWhereAFileStands) {
  std::ofstream(path_) << "precious";
  EXPECT_FALSE(SocketServer::on_path(path_));
  EXPECT_EQ(std::filesystem::file_size(path_), 8U);
}

TEST_F(SocketPath, IsRefusedWhereItIsEmptyOrTooLong) {
  EXPECT_FALSE(SocketServer::on_path(""));
  EXPECT_FALSE(SocketServer::on_path(folder_ + "/" + std::string(200, 'x')));
}

}  // namespace socket_server_test
}  // namespace jrpcheck::reference
