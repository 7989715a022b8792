#include "result/shape.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::result {
namespace {

std::string shape(const std::string& message, const std::string& actual) {
  return shape_of({"id-echo", corpus::Verdict::fail, message, "whatever", actual, 0});
}

TEST(Shape, HoldsTheWordsAndTheErrorCodes) {
  EXPECT_EQ(shape("The error has the wrong code.",
                  R"(HTTP 200: {"error":{"code":-32603,"message":"x"},"id":7})"),
            "The error has the wrong code (error -32603)");
}

TEST(Shape, IsTheSameWhateverTheIdAndTheText) {
  EXPECT_EQ(shape("The Response has the wrong id.", R"({"result":"10:31","id":20010})"),
            shape("The Response has the wrong id.", R"({"result":"11:02","id":20020})"));
}

TEST(Shape, AnotherErrorCodeIsAnotherShape) {
  EXPECT_NE(shape("The error has the wrong code.", R"({"error":{"code":-32603}})"),
            shape("The error has the wrong code.", R"({"error":{"code": -32000}})"));
}

TEST(Shape, PlacesNumbersAndQuotedTextsHaveNoPart) {
  EXPECT_EQ(shape("The reply is not JSON: unexpected byte at byte 12.", "x"),
            "The reply is not JSON");
  EXPECT_EQ(shape("12 bytes and \"this\" came.", ""), "# bytes and ... came");
}

TEST(Shape, ReadsCodesFromTextThatIsCutAndFromWhatIsNoCode) {
  EXPECT_EQ(shape("Wrong.", R"([{"error":{"code":-32600,"me ... 900 bytes ... "code":-32601}},)"),
            "Wrong (error -32600, -32601)");
  EXPECT_EQ(shape("Wrong.", R"({"code":"E1"} "code")"), "Wrong");
  EXPECT_EQ(shape("Wrong.", R"("code":)"), "Wrong");
}

}  // namespace
}  // namespace jrpcheck::result
