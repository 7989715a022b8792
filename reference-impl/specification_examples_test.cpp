// The exchanges of JSON-RPC 2.0 §7, one by one.
#include <gtest/gtest.h>

#include "reference-impl/reply_for_testing.hpp"

namespace jrpcheck::reference {
namespace specification_examples_test {

struct Example {
  std::string_view title;
  std::string_view request;
  std::string_view reply;  // as outline() gives it
};

const Example kExamples[] = {
    {"PositionalParameters",
     R"({"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1})", "19 for 1"},
    {"PositionalParametersSwapped",
     R"({"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2})", "-19 for 2"},
    {"NamedParameters",
     R"({"jsonrpc": "2.0", "method": "subtract",
         "params": {"subtrahend": 23, "minuend": 42}, "id": 3})",
     "19 for 3"},
    {"NamedParametersInAnotherOrder",
     R"({"jsonrpc": "2.0", "method": "subtract",
         "params": {"minuend": 42, "subtrahend": 23}, "id": 4})",
     "19 for 4"},
    {"Notification", R"({"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]})", "silence"},
    {"NotificationOfUnknownMethod", R"({"jsonrpc": "2.0", "method": "foobar"})", "silence"},
    {"UnknownMethod", R"({"jsonrpc": "2.0", "method": "foobar", "id": "1"})",
     R"(error -32601 for "1")"},
    {"InvalidJson", R"({"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz])",
     "error -32700 for null"},
    {"InvalidRequest", R"({"jsonrpc": "2.0", "method": 1, "params": "bar"})",
     "error -32600 for null"},
    {"BatchOfInvalidJson",
     R"([{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
         {"jsonrpc": "2.0", "method"])",
     "error -32700 for null"},
    {"EmptyBatch", "[]", "error -32600 for null"},
    {"BatchOfOneInvalidElement", "[1]", "[error -32600 for null]"},
    {"BatchOfInvalidElements", "[1,2,3]",
     "[error -32600 for null, error -32600 for null, error -32600 for null]"},
    {"MixedBatch",
     R"([{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
         {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
         {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
         {"foo": "boo"},
         {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
         {"jsonrpc": "2.0", "method": "get_data", "id": "9"}])",
     R"([7 for "1", 19 for "2", error -32600 for null, error -32601 for "5", )"
     R"(["hello",5] for "9"])"},
    {"BatchOfNotifications",
     R"([{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
         {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}])",
     "silence"},
};

class SpecificationExample : public testing::TestWithParam<Example> {};

TEST_P(SpecificationExample, IsAnsweredAsInClause7) {
  EXPECT_EQ(outline(ask(GetParam().request)), GetParam().reply);
}

INSTANTIATE_TEST_SUITE_P(, SpecificationExample, testing::ValuesIn(kExamples),
                         [](const auto& each) { return std::string(each.param.title); });

}  // namespace specification_examples_test
}  // namespace jrpcheck::reference
