#include "wire/binding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace jrpcheck::wire {
namespace binding_test {

TEST(Bindings, AreFoundByTheirNames) {
  std::set<std::string_view> names;
  for (const Binding& each : bindings()) {
    EXPECT_EQ(binding_named(each.name), &each);
    EXPECT_TRUE(names.insert(each.name).second) << each.name << " stands in the table twice";
  }
  for (const auto* name : {"http", "lines", "content-length", "concatenated", "length32"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

// Who asks for the row that is so knows nothing else of it.
TEST(Bindings, ThatAreAskedForByWhatTheyAreAreOneEach) {
  for (const auto is_so :
       {&Binding::is_upgrade, &Binding::pairs_replies, &Binding::structures_only}) {
    EXPECT_EQ(std::ranges::count_if(bindings(), is_so), 1);
    EXPECT_TRUE(first_that(is_so).*is_so);
  }
}

TEST(Bindings, AreNamedByNothingElse) {
  EXPECT_EQ(binding_named(""), nullptr);
  EXPECT_EQ(binding_named("Lines"), nullptr);
  EXPECT_EQ(binding_named("content_length"), nullptr);
}

// A conversation has one of two ways to know what a reply answers.
TEST(Bindings, EitherPairRepliesOrHaveACodec) {
  for (const Binding& each : bindings())
    EXPECT_NE(each.pairs_replies, each.is_stream()) << each.name;
}

TEST(Bindings, OfStreamsSayWhatOutputThatIsNoMessageIsChargedTo) {
  for (const Binding& each : bindings()) {
    if (!each.is_stream()) continue;
    EXPECT_FALSE(each.noise.empty()) << each.name;
    EXPECT_FALSE(each.unframed.requirement.empty()) << each.name;
    EXPECT_TRUE(each.broken_head.empty() || !each.wrong_length.empty()) << each.name;
  }
}

TEST(Bindings, TellEachRequirementThatDeparturesAreChargedToOnce) {
  using Ids = std::vector<std::string_view>;
  EXPECT_EQ(charges_of(known_binding("content-length")),
            (Ids{"std-clean", "lsp-length", "lsp-header-syntax"}));
  EXPECT_EQ(charges_of(on_sockets(known_binding("lines"))),
            (Ids{"tcp-framing", "tcp-line-delimiter"}));
  EXPECT_EQ(charges_of(known_binding("http")), Ids());
}

TEST(Bindings, BringTheirOwnClassOfRequirementsAndNoOther) {
  EXPECT_TRUE(applies_class(binding_named("lines"), "stdio"));
  EXPECT_FALSE(applies_class(binding_named("lines"), "lsp"));
  EXPECT_FALSE(applies_class(binding_named("http"), "stdio"));
  EXPECT_FALSE(applies_class(binding_named("concatenated"), "stdio"));
  for (const Binding& each : bindings()) {
    EXPECT_TRUE(applies_class(&each, "core"));
    EXPECT_FALSE(applies_class(&each, "client"));
  }
  EXPECT_TRUE(applies_class(nullptr, "core"));
  EXPECT_FALSE(applies_class(nullptr, "http"));
}

TEST(Bindings, OnSocketsAreJudgedByTheClassOfSocketsInPlaceOfThatOfPrograms) {
  for (const Binding& each : bindings()) {
    const Binding& moved = on_sockets(each);
    EXPECT_EQ(moved.name, each.name);
    EXPECT_EQ(moved.on_sockets, each.is_stream());
    EXPECT_EQ(applies_class(&moved, "tcp"), each.is_framing()) << each.name;
    EXPECT_FALSE(applies_class(&each, "tcp")) << each.name;
    EXPECT_FALSE(applies_cases_of(moved, "stdio")) << each.name;
    EXPECT_EQ(applies_cases_of(each, "stdio"), each.is_framing()) << each.name;
  }
  EXPECT_TRUE(applies_class(&on_sockets(known_binding("content-length")), "lsp"));
  EXPECT_EQ(on_sockets(known_binding("lines")).several_lines, "tcp-line-delimiter");
}

TEST(Bindings, OfStreamsAreWhatFramingTakes) {
  EXPECT_EQ(framing_names("|"), "lines|content-length|concatenated|length32");
  EXPECT_TRUE(known_binding("websocket").is_stream());
  EXPECT_FALSE(known_binding("websocket").is_framing());
}

TEST(Bindings, OfWebSocketChargesEachRuleOfItsFramesToItsRequirement) {
  const Binding& websocket = known_binding("websocket");
  EXPECT_TRUE(applies_class(&websocket, "ws"));
  EXPECT_FALSE(applies_class(&websocket, "tcp"));
  EXPECT_EQ(websocket.charge_of("a frame is masked"), "ws-server-unmasked");
  EXPECT_EQ(websocket.charge_of("a Close with a code that is reserved"), "ws-close-code");
  EXPECT_EQ(websocket.charge_of("a reserved opcode"), "ws-server-frames");
}

}  // namespace binding_test
}  // namespace jrpcheck::wire
