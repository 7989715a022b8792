#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/catalogue.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::reference {
namespace deep_on_the_web_test {

constexpr std::uint32_t kMask = 0x01020304;

Behaviour behaviour_of(std::string_view name) {
  const Mutant* found = find(deep_faults_on_the_web(), name);
  if (found != nullptr) return found->behaviour();
  ADD_FAILURE() << "no fault is called " << name;
  return {};
}

/// What is left of a body.
std::string body_read(std::string_view name, const std::string& body) {
  std::string read;
  wire::HttpMessage request;
  request.body = body;
  behaviour_of(name).answer(request, [&read](const wire::HttpMessage& each) {
    read = each.body;
    return HttpAnswer{};
  });
  return read;
}

TEST(DeepFaultsOnTheWeb, ABodyEndsAtAnAmpersand) {
  EXPECT_EQ(body_read("deep-body-cut-at-an-ampersand", "[\"a&b\"]"), "[\"a");
  EXPECT_EQ(body_read("deep-body-cut-at-an-ampersand", "[]"), "[]");
}

TEST(DeepFaultsOnTheWeb, ABodyEndsAtAnEmptyLine) {
  EXPECT_EQ(body_read("deep-body-cut-at-an-empty-line", "[1,\n\n2]"), "[1,");
  EXPECT_EQ(body_read("deep-body-cut-at-an-empty-line", "[1,\n \n2]"), "[1,\n \n2]");
}

TEST(DeepFaultsOnTheWeb, AByteOrderMarkIsDroppedFromAnEvent) {
  std::vector<std::string> events = {"data: [\"a\xEF\xBB\xBF\x62\"]\n\n"};
  behaviour_of("deep-mark-dropped-from-an-event").events.edit(events);
  EXPECT_EQ(events.front(), "data: [\"ab\"]\n\n");
}

TEST(DeepFaultsOnTheWeb, StreamsEndWithoutResponsesWhenTwoThousandHaveEnded) {
  const auto edit = behaviour_of("deep-streams-used-up").events.edit;
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::string> events = {"data: 1\n\n"};
    edit(events);
    ASSERT_FALSE(events.empty()) << i;
  }
  std::vector<std::string> events = {"data: 1\n\n"};
  edit(events);
  EXPECT_TRUE(events.empty());
}

TEST(DeepFaultsOnTheWeb, AMessageOf127BytesIsTheLastOfItsConnection) {
  const auto behaviour = behaviour_of("deep-length-like-a-mark");
  const auto frame_of = [](std::size_t size) {
    return wire::websocket_frame({}, std::string(size, 'x'), kMask);
  };
  const auto reading = behaviour.websocket.reading();
  for (const std::size_t size : {1U, 125U, 126U, 128U, 383U, 70'000U}) {
    EXPECT_EQ(reading(frame_of(size)), frame_of(size));
  }
  EXPECT_EQ(reading(frame_of(127)), "");
  EXPECT_EQ(reading(frame_of(1)), "");
  EXPECT_EQ(behaviour.websocket.reading()(frame_of(1)), frame_of(1));
}

TEST(DeepFaultsOnTheWeb, TheFirstFragmentOfABatchIsAllOfIt) {
  const auto reading = behaviour_of("deep-batch-in-fragments").websocket.reading();
  for (const std::size_t size : {1U, 200U, 70'000U}) {
    const std::string payload = "[" + std::string(size, '1');
    EXPECT_EQ(reading(wire::websocket_frame({.fin = false}, payload, kMask)),
              wire::websocket_frame({}, payload, kMask));
  }
  for (const char* kept : {"{1", ""}) {
    const auto frame = wire::websocket_frame({.fin = false}, kept, kMask);
    EXPECT_EQ(reading(frame), frame);
  }
}

}  // namespace deep_on_the_web_test
}  // namespace jrpcheck::reference
