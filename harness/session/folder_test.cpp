#include "session/folder.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::session {
namespace folder_test {

const corpus::OpeningPlace kPlace{"initialize", "/params/rootUri"};
const std::string kOpening =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri": null,"n":1.0}})";

TEST(Folder, IsNamedWhereNullStandsAndNowhereElse) {
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

TEST(Folder, IsNamedInWhatAStepSendsUnlessThatIsToStayAsItStands) {
  corpus::Step step;
  step.messages.emplace_back(kOpening);
  name_folder(step, kPlace, "file:///f");
  EXPECT_NE(step.messages.front().text().find("file:///f"), std::string::npos);
  corpus::Step as_it_stands;
  as_it_stands.as_it_stands = true;
  as_it_stands.messages.emplace_back(kOpening);
  name_folder(as_it_stands, kPlace, "file:///f");
  EXPECT_EQ(as_it_stands.messages.front().text(), kOpening);
}

}  // namespace folder_test
}  // namespace jrpcheck::session
