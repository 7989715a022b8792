#include "run/empty_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace jrpcheck::run {
namespace empty_folder_test {

const corpus::FolderPlace kPlace{"initialize", "/params/rootUri"};
const std::string kOpening =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri": null,"n":1.0}})";

TEST(EmptyFolder, GoesWithAllThatWasPutThere) {
  auto guardian = transport::Guardian::start();
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

TEST(EmptyFolder, IsNamedWhereNullStandsAndNowhereElse) {
  EXPECT_EQ(
      with_folder(kOpening, kPlace, "file:///f"),
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri": "file:///f","n":1.0}})");
  for (const std::string& other :
       {std::string(R"({"method":"initialize","params":{"rootUri":"file:///own"}})"),
        std::string(R"({"method":"initialize","params":{}})"),
        std::string(R"({"method":"other","params":{"rootUri":null}})"), std::string("[1]"),
        std::string("{")}) {
    EXPECT_EQ(with_folder(other, kPlace, "file:///f"), other);
  }
}

TEST(EmptyFolder, IsGivenOnceToWhoHasAPlaceForIt) {
  auto guardian = transport::Guardian::start();
  ASSERT_TRUE(guardian);
  Options options;
  options.opening.messages = {kOpening, R"({"jsonrpc":"2.0","method":"initialized"})"};
  EXPECT_FALSE(open_with_folder(options, **guardian)) << "the protocol has no place for one";
  options.folder_place = kPlace;
  ASSERT_TRUE(open_with_folder(options, **guardian));
  EXPECT_NE(options.opening.messages.front().find(options.folder->uri()), std::string::npos);
  EXPECT_FALSE(open_with_folder(options, **guardian))
      << "who refuses that as well is not asked again";

  corpus::Step step;
  step.messages.emplace_back(kOpening);
  name_folder(options, step);
  EXPECT_NE(step.messages.front().text().find(options.folder->uri()), std::string::npos);
  corpus::Step as_it_stands;
  as_it_stands.as_it_stands = true;
  as_it_stands.messages.emplace_back(kOpening);
  name_folder(options, as_it_stands);
  EXPECT_EQ(as_it_stands.messages.front().text(), kOpening);
}

TEST(EmptyFolder, IsForWhoRefusesWhatTheCallSays) {
  EXPECT_TRUE(is_refused_for_its_params(
      R"({"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"expected rootUri"}})"));
  for (const char* other : {R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})",
                            R"({"jsonrpc":"2.0","id":1,"result":{"capabilities":{}}})", "no"}) {
    EXPECT_FALSE(is_refused_for_its_params(other)) << other;
  }
}

}  // namespace empty_folder_test
}  // namespace jrpcheck::run
