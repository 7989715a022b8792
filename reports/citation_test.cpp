#include "reports/citation.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::reports {
namespace citation_test {

std::string link_of_clause(const std::string& clause) {
  corpus::Requirement requirement;
  requirement.clause = clause;
  return clause_link(requirement);
}

TEST(Citation, AClauseIsReadWhereItStands) {
  EXPECT_EQ(link_of_clause("4"), "https://www.jsonrpc.org/specification#request_object");
  EXPECT_EQ(link_of_clause("4.1, 6"), "https://www.jsonrpc.org/specification#notification");
  EXPECT_EQ(link_of_clause("1; RFC 8259 2, 8.1"), "https://www.jsonrpc.org/specification#overview");
  EXPECT_EQ(link_of_clause("JSON-RPC 2.0 §5"),
            "https://www.jsonrpc.org/specification#response_object");
  EXPECT_EQ(link_of_clause("RFC 8259 8.1"), "https://www.rfc-editor.org/rfc/rfc8259#section-8.1");
  EXPECT_EQ(link_of_clause("RFC 9293 §3.6; RFC 1122 §4.2.2.13"),
            "https://www.rfc-editor.org/rfc/rfc9293#section-3.6");
  EXPECT_EQ(link_of_clause("RFC 9112"), "https://www.rfc-editor.org/rfc/rfc9112");
  EXPECT_EQ(link_of_clause("JSON-RPC 1.0"), "https://www.jsonrpc.org/specification_v1");
}

TEST(Citation, WhatNoDocumentSaysHasNoAddress) {
  EXPECT_EQ(link_of_clause("-"), "");
  EXPECT_EQ(link_of_clause("javascript:alert(1)"), "");
}

TEST(Citation, AThreadHasTheAddressOfItsProject) {
  EXPECT_EQ(thread_link("hahwul/gori #1138: missing"),
            "https://github.com/hahwul/gori/issues/1138");
  EXPECT_EQ(thread_link("aria2 1.36: ends"), "");
  EXPECT_EQ(thread_link("a b/\"onload #1: x"), "");
  EXPECT_EQ(thread_link("owner/project #: x"), "");
}

}  // namespace citation_test
}  // namespace jrpcheck::reports
