#include "run/empty_folder.hpp"

#include <gtest/gtest.h>

#include "session/folder.hpp"
#include "transport/target.hpp"

namespace jrpcheck::run {
namespace empty_folder_test {

const corpus::OpeningPlace kPlace{"initialize", "/params/rootUri"};
const std::string kOpening =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri": null,"n":1.0}})";

Options with_place(const transport::Guardian&) {
  Options options;
  options.opening.messages = {kOpening, R"({"jsonrpc":"2.0","method":"initialized"})"};
  options.folder_place = kPlace;
  return options;
}

TEST(EmptyFolder, IsForWhoHasAPlaceForIt) {
  auto guardian = transport::Guardian::start();
  ASSERT_TRUE(guardian);
  Options options = with_place(**guardian);
  options.folder_place.reset();
  EXPECT_FALSE(open_with_folder(options, **guardian)) << "the protocol has no place for one";
  options = with_place(**guardian);
  options.opening.messages = {R"({"jsonrpc":"2.0","method":"initialized"})"};
  EXPECT_FALSE(open_with_folder(options, **guardian)) << "no null stands there";
}

TEST(EmptyFolder, IsEachProgramsOwn) {
  auto guardian = transport::Guardian::start();
  ASSERT_TRUE(guardian);
  Options options = with_place(**guardian);
  ASSERT_TRUE(open_with_folder(options, **guardian));
  EXPECT_TRUE(options.gives_folders);
  EXPECT_TRUE(options.opening.folder_place);
  EXPECT_EQ(options.opening.messages.front(), kOpening) << "it is named when a program is started";
  EXPECT_EQ(options.folder, nullptr);
  EXPECT_FALSE(open_with_folder(options, **guardian))
      << "who refuses that as well is not asked again";
}

TEST(EmptyFolder, IsOneForAServerToWhichAllConnectionsLead) {
  auto guardian = transport::Guardian::start();
  ASSERT_TRUE(guardian);
  Options options = with_place(**guardian);
  options.target = *transport::parse_target("tcp://127.0.0.1:24001");
  ASSERT_TRUE(open_with_folder(options, **guardian));
  EXPECT_NE(options.opening.messages.front().find(options.folder->uri()), std::string::npos);
  corpus::Step step;
  step.messages.emplace_back(kOpening);
  name_folder(options, step);
  EXPECT_NE(step.messages.front().text().find(options.folder->uri()), std::string::npos);
}

TEST(EmptyFolder, StandsBackForTheFolderThatTheUsersOpeningNames) {
  Options options;
  options.folder_place = kPlace;
  corpus::Step step;
  step.messages.emplace_back(kOpening);
  name_folder(options, step);
  EXPECT_EQ(step.messages.front().text(), kOpening) << "nobody names one";
  const std::string named =
      R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///mine"}})";
  options.opening.messages = {named, R"({"jsonrpc":"2.0","method":"initialized"})"};
  name_folder(options, step);
  EXPECT_EQ(session::folder_in(step.messages.front().text(), kPlace), "file:///mine");
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
