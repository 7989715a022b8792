#include "fuzz/cut.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "wire/binding.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::fuzz {
namespace cut_test {

using Messages = std::vector<std::string>;

TEST(Cut, IsWhereReadersInPiecesGoWrong) {
  const std::string message = R"({"a\\":"\"\u00e9 é","b":-15.5,"c":true})";
  const auto before_cut = [&](CutPlace place) {
    const auto offset = cut_at(place, message);
    if (!offset) return std::string("nowhere");
    EXPECT_EQ(place_of_cut(message, *offset), place);
    return message.substr(0, *offset);
  };
  EXPECT_EQ(before_cut(CutPlace::first_byte), "{");
  EXPECT_EQ(before_cut(CutPlace::escape), R"({"a\)");
  EXPECT_EQ(before_cut(CutPlace::character), "{\"a\\\\\":\"\\\"\\u00e9 \xC3");
  EXPECT_EQ(before_cut(CutPlace::token), message.substr(0, message.find("15.5")));
  EXPECT_EQ(before_cut(CutPlace::last_byte), message.substr(0, message.size() - 1));
  EXPECT_EQ(cut_at(CutPlace::middle, message), message.size() / 2);
  EXPECT_EQ(cut_at(CutPlace::escape, R"({"a":1})"), std::nullopt);
  EXPECT_EQ(cut_at(CutPlace::first_byte, "1"), std::nullopt);
}

TEST(Cut, OfAnotherMessageIsAtTheSamePlaceOrNowhere) {
  const auto offset_of = [](const std::string& message, Cut cut, const std::string& other) {
    const auto same = same_cut(message, cut, other);
    return same ? static_cast<int>(same->offset) : -1;
  };
  EXPECT_EQ(offset_of(R"({"a":12})", {0, 6}, R"({"abc":true})"), 8);
  EXPECT_EQ(offset_of(R"({"a":12})", {0, 6}, R"({"a":""})"), -1);
  EXPECT_EQ(offset_of(R"({"a":12})", {0, 3, CutInto::fragments}, R"({"b":34})"), 3);
  EXPECT_EQ(offset_of("[1,2,3]", {0, 0, CutInto::records, 1}, "[]"), 0);
  EXPECT_EQ(offset_of("[1,2,3]", {0, 0, CutInto::records, 4}, "[]"), -1);
}

// So many turns are each another cut of the second message.
std::set<std::string> cuts_over(const Messages& messages, const wire::Binding& binding) {
  std::set<std::string> cuts;
  for (std::size_t turn = 0; turn < 100; ++turn) {
    const auto cut = cut_one_of(messages, binding, turn);
    if (!cut) continue;
    EXPECT_NE(cut->message, 0U);
    EXPECT_TRUE(cut->fits(messages[cut->message].size()));
    cuts.insert(std::string(name_of(cut->into)) + " " + std::to_string(cut->bytes));
  }
  return cuts;
}

TEST(Cut, EachBindingHasItsWays) {
  const Messages messages = {"1", "[" + std::string(100, ' ') + "]", std::string(300, ' ') + "{}"};
  const auto& lines = wire::on_sockets(wire::known_binding("lines"));
  EXPECT_EQ(cuts_over(messages, lines), std::set<std::string>{"writes 0"});
  EXPECT_EQ(cuts_over(messages, wire::behind_door(lines, "tls")),
            (std::set<std::string>{"writes 0", "records 1", "records 16", "records 64",
                                   "records 128", "records 256"}));
  EXPECT_EQ(cuts_over(messages, wire::known_binding("websocket")),
            (std::set<std::string>{"writes 0", "fragments 0"}));
  EXPECT_TRUE(cuts_over({"[1]"}, lines).empty());
  EXPECT_TRUE(cuts_over({"[1]", "12"}, wire::behind_door(lines, "tls")).contains("writes 0"));
}

TEST(Cut, FragmentsHoldTheWholeMessageWhereverTheyAreCut) {
  for (const std::size_t offset : {std::size_t{0}, std::size_t{2}, std::size_t{99}}) {
    const auto fragments = fragments_of("[1,2]", {0, offset, CutInto::fragments});
    EXPECT_EQ(fragments[0].second + fragments[1].second, "[1,2]");
    EXPECT_FALSE(fragments[0].first.fin);
    EXPECT_TRUE(fragments[1].first.fin);
    EXPECT_EQ(fragments[1].first.opcode, wire::kContinuation);
  }
}

}  // namespace cut_test
}  // namespace jrpcheck::fuzz
