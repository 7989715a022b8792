#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/probe_messages_for_testing.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::reference {
namespace deep_on_streams_test {

Behaviour behaviour_of(std::string_view name) {
  const Mutant* found = find(deep_faults_on_streams(), name);
  if (found != nullptr) return found->behaviour();
  ADD_FAILURE() << "no fault is called " << name;
  return {};
}

/// The messages that a connection of such a server reads, where each comes by itself.
std::vector<std::string> read_of(const Behaviour& behaviour, wire::MakeFraming kind,
                                 const std::vector<std::string>& messages) {
  const auto framing = behaviour.framing(kind({}));
  std::vector<std::string> read;
  for (const auto& message : messages) {
    framing->feed(kind({})->encode(message));
    while (const auto frame = framing->next()) read.push_back(frame->payload);
  }
  return read;
}

TEST(DeepFaultsOnStreams, AnEscapeIsLostWhereAReadCutsIt) {
  const auto arriving = behaviour_of("deep-escape-cut-by-a-read").arriving;
  for (const char* begin : {"\\", "\\u", "\\u0", "\\u00", "\\u00e"}) {
    EXPECT_EQ(arriving("[\"a" + std::string(begin)), "[\"a");
  }
  for (const char* whole : {"\\n", "\\\\", "\\u00e9", "\\u0\"", "\\u00e9\n", "\\\n"}) {
    EXPECT_EQ(arriving("[\"a" + std::string(whole)), "[\"a" + std::string(whole));
  }
}

TEST(DeepFaultsOnStreams, ALineLosesItsEndWhereItFillsABuffer) {
  const auto behaviour = behaviour_of("deep-line-of-a-full-buffer");
  for (const std::size_t size : {254U, 255U, 256U, 511U, 1023U, 2047U}) {
    const bool is_full = size == 255 || size == 511;
    const auto read = read_of(behaviour, wire::make_lines, {std::string(size, 'x')});
    ASSERT_EQ(read.size(), 1U);
    EXPECT_EQ(read.front().size(), is_full ? size - 1 : size);
  }
}

TEST(DeepFaultsOnStreams, FortyNotificationsWithParamsMakeAConnectionDeaf) {
  const auto behaviour = behaviour_of("deep-slots-of-silence");
  const std::string silent = notification_with(R"("method":"update","params":[1])");
  std::vector<std::string> messages(39, silent);
  messages.push_back(call_with_id("1"));
  EXPECT_EQ(read_of(behaviour, wire::make_lines, messages), messages);
  messages.push_back("[" + silent + "]");
  messages.push_back(call_with_id("2"));
  EXPECT_EQ(read_of(behaviour, wire::make_lines, messages).size(), messages.size() - 1);
  const std::vector<std::string> without(100, notification_with(R"("method":"update")"));
  EXPECT_EQ(read_of(behaviour, wire::make_lines, without), without);
}

TEST(DeepFaultsOnStreams, ABracketIsLostInARecordOfItsOwn) {
  const auto reading = behaviour_of("deep-bracket-alone-in-a-record").tls.reading;
  EXPECT_EQ(reading("["), "");
  EXPECT_EQ(reading("[]"), "[]");
  EXPECT_EQ(reading("]"), "]");
}

TEST(DeepFaultsOnStreams, ARecordOfAFewFullBlocksLosesItsLastByte) {
  const auto reading = behaviour_of("deep-record-of-full-blocks").tls.reading;
  for (const std::size_t size : {128U, 256U, 896U}) {
    EXPECT_EQ(reading(std::string(size, 'x')).size(), size - 1);
  }
  for (const std::size_t size : {0U, 1U, 127U, 129U, 1024U, 16384U}) {
    EXPECT_EQ(reading(std::string(size, 'x')).size(), size);
  }
}

TEST(DeepFaultsOnStreams, TheLengthOfAnArrayIsThatBeforeItsControlCharactersWereEscaped) {
  const auto behaviour = behaviour_of("deep-length-before-escapes");
  const auto framing = behaviour.framing(wire::make_content_length({}));
  EXPECT_EQ(framing->encode(R"(["a\nb"])"),
            "Content-Length: 7\r\n\r\n" + std::string(R"(["a\nb"])"));
  EXPECT_EQ(framing->encode(R"(["\u0001"])"),
            "Content-Length: 5\r\n\r\n" + std::string(R"(["\u0001"])"));
  const auto proper = wire::make_content_length({});
  for (const char* kept : {R"(["a\"b\\n"])", R"({"a":"\n"})"}) {
    EXPECT_EQ(framing->encode(kept), proper->encode(kept));
  }
}

TEST(DeepFaultsOnStreams, ALineFeedBeforeABodyTakesTheNextMessageWithIt) {
  const auto behaviour = behaviour_of("deep-blank-line-before-a-body");
  const std::vector<std::string> messages = {"1", "\n2", "\n3", "4", " \n5"};
  EXPECT_EQ(read_of(behaviour, wire::make_content_length, messages),
            (std::vector<std::string>{"1", "4", " \n5"}));
}

}  // namespace deep_on_streams_test
}  // namespace jrpcheck::reference
