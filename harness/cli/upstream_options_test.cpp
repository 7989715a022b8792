#include "cli/upstream_options.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/parse_words.hpp"

namespace jrpcheck::cli {
namespace upstream_options_test {

using Words = std::vector<std::string>;

TEST(UpstreamCommand, IsSplitAsAShellDoes) {
  EXPECT_EQ(*split_words("node  server.js\t--x"), (Words{"node", "server.js", "--x"}));
  EXPECT_EQ(*split_words(R"(a 'b "c' "d 'e" f\ g "\"\\\n")"),
            (Words{"a", "b \"c", "d 'e", "f g", "\"\\\\n"}));
  EXPECT_EQ(*split_words("'' x''y"), (Words{"", "xy"}));
  EXPECT_EQ(*split_words("$HOME *"), (Words{"$HOME", "*"}));
  EXPECT_TRUE(split_words("  ")->empty());
  EXPECT_EQ(split_words("serve --token 'hush-hush").error().message, "a quote is not closed");
}

TEST(Upstream, ChoosesTheDoor) {
  const auto door_of = [](UpstreamWords words, const std::string& named = {}) -> std::string {
    const auto options = interpret_upstream(words, named);
    if (!options) return options.error().message;
    return *options ? std::string((*options)->door->name) : "none";
  };
  UpstreamWords words;
  EXPECT_EQ(door_of(words), "none");
  words.target = "https://127.0.0.1:1/rpc";
  EXPECT_EQ(door_of(words), "http");
  EXPECT_EQ(door_of(words, "https"), "https");
  EXPECT_NE(door_of(words, "ws").find("does not lead"), std::string::npos);
  words.target = "ws://127.0.0.1:1";
  EXPECT_EQ(door_of(words), "ws");
  EXPECT_EQ(door_of(words, "wss"), "wss");
  EXPECT_NE(door_of(words, "tls").find("does not lead"), std::string::npos);
  words.target = "unix:/run/x.sock";
  EXPECT_EQ(door_of(words), "tcp");
  EXPECT_EQ(door_of(words, "stdio"), "stdio");
  words.command = "node x.js";
  EXPECT_NE(door_of(words).find("one server"), std::string::npos);
  words.target.clear();
  EXPECT_EQ(door_of(words), "stdio");
  words.command = " ";
  EXPECT_NE(door_of(words).find("no program"), std::string::npos);
}

TEST(Upstream, WhatIsAboutItNeedsIt) {
  UpstreamWords words;
  words.answer = 2;
  EXPECT_FALSE(interpret_upstream(words, ""));
}

TEST(Upstream, AnswersAreCountedFromOne) {
  for (const auto& [word, is_right] : {std::pair{"0", false}, {"-1", false}, {"1", true}}) {
    CLI::App app({}, "jrpcheck client");
    UpstreamWords words;
    declare_upstream(app, words);
    EXPECT_EQ(static_cast<bool>(parse_words(app, {"--answer", word})), is_right) << word;
  }
}

}  // namespace upstream_options_test
}  // namespace jrpcheck::cli
