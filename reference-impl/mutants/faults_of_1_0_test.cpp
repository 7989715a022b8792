#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "reference-impl/dialect_1_0.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::reference {
namespace faults_of_1_0_test {

std::string reply(const std::string& message, const Behaviour& behaviour) {
  const auto methods = make_reference_dispatcher();
  const HandlerOf10 handler(methods);
  const ProperReply proper = [&](std::string_view text) -> Reply { return handler.handle(text); };
  try {
    const Reply reply = behaviour.reply ? behaviour.reply(message, proper) : proper(message);
    return reply.value_or("silence");
  } catch (const Catastrophe&) {
    return "the end";
  }
}

TEST(MutantsOf10, EachShows) {
  const std::string call = R"({"method":"x","params":[],"id":1})";
  const std::string messages[] = {R"({"method":"subtract","params":[42,23],"id":1})",
                                  call,
                                  R"({"method":"x","params":[],"id":null})",
                                  R"({"method":"x","params":[],"id":false})",
                                  R"({"method":"x","params":[],"id":[1]})",
                                  R"({"method":"x","params":[null],"id":1})",
                                  R"({"method":"x","params":{},"id":1})",
                                  R"({"method":"fails","params":[],"id":1})",
                                  R"({"method":"x","id":1})",
                                  R"({"method":"x","params":[]})",
                                  R"({"method":"x","params":["\ud800"],"id":1})",
                                  "",
                                  "1",
                                  "[]",
                                  "{}",
                                  "{",
                                  call,
                                  std::string(20'000, '['),
                                  std::string(600'000, ' ')};
  auto all = faults_of_1_0();
  for (const Mutant& variant : variants_of_1_0()) all.push_back(variant);
  for (const Mutant& mutant : all) {
    const Behaviour behaviour = mutant.behaviour();
    const bool shows = std::ranges::any_of(messages, [&](const std::string& message) {
      return reply(message, behaviour) != reply(message, {});
    });
    EXPECT_TRUE(shows) << mutant.name;
  }
}

TEST(MutantsOf10, ANotificationIsAnsweredWithItsId) {
  const auto all = faults_of_1_0();
  EXPECT_EQ(reply(R"({"method":"sum","params":[1],"id":null})",
                  find(all, "v1-notification-answered")->behaviour()),
            R"({"result":1,"error":null,"id":null})");
}

}  // namespace faults_of_1_0_test
}  // namespace jrpcheck::reference
