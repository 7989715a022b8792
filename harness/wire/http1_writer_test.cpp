#include <gtest/gtest.h>

#include "wire/http1.hpp"

namespace jrpcheck::wire {
namespace http1_writer_test {

TEST(HttpWriter, ARequestIsWrittenAsGiven) {
  EXPECT_EQ(http_request("POST", "/rpc?x=1", {{"Host", "h"}, {"content-length", "2"}}, "{}"),
            "POST /rpc?x=1 HTTP/1.1\r\nHost: h\r\ncontent-length: 2\r\n\r\n{}");
}

TEST(HttpWriter, NothingIsAddedToARequest) {
  EXPECT_EQ(http_request("GET", "/", {}, "body"), "GET / HTTP/1.1\r\n\r\nbody");
}

TEST(HttpWriter, AResponseHasTheUsualReasonPhrase) {
  EXPECT_EQ(http_response(200, {{"A", "b"}}, "x"), "HTTP/1.1 200 OK\r\nA: b\r\n\r\nx");
  EXPECT_EQ(http_response(415, {}, ""), "HTTP/1.1 415 Unsupported Media Type\r\n\r\n");
  EXPECT_EQ(http_response(204, {}, ""), "HTTP/1.1 204 No Content\r\n\r\n");
}

TEST(HttpWriter, AnUnknownStatusHasAnEmptyReasonPhrase) {
  EXPECT_EQ(http_response(299, {}, ""), "HTTP/1.1 299 \r\n\r\n");
}

TEST(HttpWriter, ChunksHaveTheGivenSizeAndTheLastTheRest) {
  EXPECT_EQ(http_chunked("abcde", 2), "2\r\nab\r\n2\r\ncd\r\n1\r\ne\r\n0\r\n\r\n");
  EXPECT_EQ(http_chunked("0123456789abcdefg", 17), "11\r\n0123456789abcdefg\r\n0\r\n\r\n");
}

TEST(HttpWriter, AnEmptyBodyIsTheLastChunkAlone) { EXPECT_EQ(http_chunked("", 5), "0\r\n\r\n"); }

TEST(HttpWriter, AChunkHoldsAtLeastOneByte) {
  EXPECT_EQ(http_chunked("a", 0), "1\r\na\r\n0\r\n\r\n");
}

TEST(HttpFields, AreFoundWhateverTheCaseAndTheFirstCounts) {
  HttpMessage message;
  message.fields = {{"Content-Type", "a"}, {"content-type", "b"}};
  EXPECT_EQ(message.field("CONTENT-TYPE"), "a");
  EXPECT_EQ(message.field("Accept"), std::nullopt);
}

TEST(FieldValue, IsBase64WhereItIsNoPlainText) {
  EXPECT_EQ(field_value_of("a b"), "a b");
  EXPECT_EQ(field_value_of("\xC3\xBC"), "=?base64?w7w=?=");
  EXPECT_EQ(field_value_of(" a"), "=?base64?IGE=?=");
}

}  // namespace http1_writer_test
}  // namespace jrpcheck::wire
