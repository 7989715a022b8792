#include "traffic/endpoints.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::traffic {
namespace endpoints_test {

constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"a","id":1})";
constexpr const char* kResponse = R"({"jsonrpc":"2.0","result":1,"id":1})";

TEST(Endpoints, RequestsAndArraysThatHaveOneAreJsonRpc) {
  EXPECT_TRUE(is_json_rpc(kCall));
  EXPECT_TRUE(is_json_rpc(R"([1,{"jsonrpc":"2.0","method":"a"}])"));
  for (const auto* other : {"", "grant=code", "{", "[]", "7", R"({"redirect_uris":[]})",
                            R"({"method":"a","id":1})", kResponse}) {
    EXPECT_FALSE(is_json_rpc(other)) << other;
    EXPECT_EQ(is_of_json_rpc(other), other == kResponse) << other;
  }
  EXPECT_TRUE(is_of_json_rpc(kCall));
}

TEST(Endpoints, WhatGoesToTheTargetIsTakenWhateverItIs) {
  Endpoints endpoints("/rpc?key=1");
  EXPECT_TRUE(endpoints.take("/rpc", "{"));
  EXPECT_TRUE(endpoints.take("/rpc?key=2", "grant=code"));
  EXPECT_EQ(endpoints.others(), 0U);
}

TEST(Endpoints, ElsewhereOnlyJsonRpcIsTaken) {
  Endpoints endpoints("/rpc");
  EXPECT_FALSE(endpoints.take("/token", "grant=code"));
  EXPECT_FALSE(endpoints.take("/register", R"({"redirect_uris":[]})"));
  EXPECT_FALSE(endpoints.take("/rpc/", "{"));
  EXPECT_TRUE(endpoints.take("/answers", kResponse));
  EXPECT_EQ(endpoints.others(), 3U);
}

TEST(Endpoints, WhereJsonRpcWasPostedAllIsTaken) {
  Endpoints endpoints("/");
  EXPECT_FALSE(endpoints.take("/mcp", "{"));
  EXPECT_TRUE(endpoints.take("/mcp", kCall));
  EXPECT_TRUE(endpoints.take("/mcp", "{"));
  EXPECT_FALSE(endpoints.take("/token", "{"));
}

TEST(Endpoints, MessageThatIsNestedDeeperThanIsReadIsTaken) {
  constexpr std::size_t kDepth = 200'000;
  const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
  EXPECT_TRUE(is_json_rpc(R"({"jsonrpc":"2.0","method":"a","params":)" + deep + "}"));
}

}  // namespace endpoints_test
}  // namespace jrpcheck::traffic
