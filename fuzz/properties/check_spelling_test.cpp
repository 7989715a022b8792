// What is charged where a call that is spelt otherwise, or has another id, is answered otherwise.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "fuzz/properties/checks.hpp"
#include "fuzz/properties/habits_for_testing.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::properties {
namespace check_spelling_test {

using namespace habits_for_testing;
using judge::Charges;

std::string known_call(const std::string& id, const std::string& params) {
  return R"({"jsonrpc":"2.0","method":"subtract","params":)" + params + R"(,"id":)" + id + "}";
}

std::string result(const std::string& value, const std::string& id) {
  return R"({"jsonrpc":"2.0","result":)" + value + R"(,"id":)" + id + "}";
}

// Of who answers `sent` so, and all else rightly.
Charges charges_where(const std::string& sent, const std::string& answer, Check check,
                      const Scenario& scenario) {
  HabitualExecutor executor([&](const corpus::Step& step, std::size_t place) {
    return step.messages[place].text() == sent ? std::optional(Texts{answer}) : std::nullopt;
  });
  judge::Judgement judgement;
  judgement.findings = checked(check, scenario, executor).findings;
  return judge::charges(judgement);
}

TEST(IdExchange, AWrongIdIsChargedToItWhicheverOfTheTwoCallsHasItAndWhateverItsParams) {
  for (const char* params : {"[42,23]", R"({"minuend":42,"subtrahend":23})"}) {
    const std::string one = known_call("1", params);
    const std::string negative = known_call("-7", params);
    const auto charged = [&](const std::string& first, const char* other) {
      return charges_where(negative, result("19", "7"), &check_id_exchange,
                           {.messages = {first}, .others = {other}});
    };
    EXPECT_EQ(charged(one, "-7"), Charges{"id-echo: fail"}) << params;
    EXPECT_EQ(charged(negative, "1"), Charges{"id-echo: fail"}) << params;
    EXPECT_EQ(charged(one, "2"), Charges()) << params;
    const auto refused = charges_where(
        negative, R"({"jsonrpc":"2.0","error":{"code":-32603,"message":"?"},"id":-7})",
        &check_id_exchange, {.messages = {negative}, .others = {"1"}});
    EXPECT_EQ(refused, Charges{"res-result-on-success: fail"}) << params;
  }
}

TEST(IdExchange, AStringThatIsCutIsChargedToTheExactnessOfStrings) {
  const std::string padded = known_call("\" a b \"", "[1,1]");
  const auto charged = [&](const std::string& first, const char* other) {
    return charges_where(padded, result("0", "\"a b\""), &check_id_exchange,
                         {.messages = {first}, .others = {other}});
  };
  EXPECT_EQ(charged(padded, "1"), Charges{"id-string-exact: fail"});
  EXPECT_EQ(charged(known_call("1", "[1,1]"), "\" a b \""), Charges{"id-string-exact: fail"});
}

TEST(ExtraMember, AWrongIdIsChargedToTheIdAndOnlyWhereTheMemberBringsItOn) {
  const std::string plain = call("-1");
  const std::string extended =
      R"({"jsonrpc":"2.0","method":"jrpcheckX","id":-1,"jrpcheckExtra":1})";
  const auto charged = [&](const std::string& sent, const std::string& code,
                           const std::string& id) {
    return charges_where(sent, error(code, dialogue::Message(call(id))), &check_extra_member,
                         {.messages = {plain}});
  };
  EXPECT_EQ(charged(extended, "-32601", "1"), Charges{"id-echo: fail"});
  EXPECT_EQ(charged(extended, "-32600", "1"), Charges{"id-echo: fail"});
  EXPECT_EQ(charged(extended, "-32600", "-1"), Charges());
  EXPECT_EQ(charged(extended, "-32600", "null"), Charges());
  EXPECT_EQ(charged(plain, "-32601", "1"), Charges()) << "that is for others";
}

TEST(MemberOrder, AWrongIdIsChargedToTheId) {
  const std::string turned = R"({"method":"subtract","jsonrpc":"2.0","params":[42,23],"id":5})";
  const auto charged = [&](const std::string& answer) {
    return charges_where(turned, answer, &check_member_order,
                         {.messages = {known_call("5", "[42,23]")}, .edits = {0}});
  };
  EXPECT_EQ(charged(result("19", "5")), Charges());
  EXPECT_EQ(charged(result("19", "6")), Charges{"id-echo: fail"});
  EXPECT_EQ(charged(result("18", "5")), Charges{"par-positional: fail"});
}

TEST(ParamOrder, IsChargedToNamedParamsButAWrongIdToTheId) {
  const std::string call = known_call("5", R"({"minuend":42,"subtrahend":23})");
  const std::string turned = known_call("5", R"({"subtrahend":23,"minuend":42})");
  for (const std::vector<std::size_t>& edits : {std::vector<std::size_t>{0}, {0, 0}, {1, 0, 7}}) {
    const auto charged = [&](const std::string& answer) {
      return charges_where(turned, answer, &check_param_order,
                           {.messages = {call}, .edits = edits});
    };
    EXPECT_EQ(charged(result("19", "5")), Charges());
    EXPECT_EQ(charged(result("-19", "5")), Charges{"par-named: fail"});
    EXPECT_EQ(charged(result("19", "6")), Charges{"id-echo: fail"});
  }
}

}  // namespace check_spelling_test
}  // namespace jrpcheck::properties
