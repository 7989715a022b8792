#include <gtest/gtest.h>

#include <string>

#include "reference-impl/dialect_1_0.hpp"
#include "reference-impl/methods.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mutated_server.hpp"

namespace jrpcheck::reference {
namespace faults_of_1_0_test {

std::string reply(const std::string& message, const Behaviour& behaviour) {
  const auto methods = make_reference_dispatcher();
  const HandlerOf10 handler(methods);
  return mutated_reply(behaviour, handler, message).value_or("silence");
}

TEST(FaultsOf10, EachShows) {
  for (const Mutant& fault : faults_of_1_0()) {
    bool shows = false;
    for (const std::string message :
         {R"({"method":"subtract","params":[42,23],"id":1})",
          R"({"method":"x","params":[],"id":1})", R"({"method":"x","params":[],"id":null})",
          R"({"method":"x","params":[],"id":false})", R"({"method":"x","params":[],"id":[1]})",
          R"({"method":"x","params":[null],"id":1})", R"({"method":"x","params":{},"id":1})",
          R"({"method":"fails","params":[],"id":1})"}) {
      shows = shows || reply(message, fault.behaviour()) != reply(message, {});
    }
    EXPECT_TRUE(shows) << fault.name;
  }
}

TEST(FaultsOf10, ANotificationIsAnsweredWithItsId) {
  const auto all = faults_of_1_0();
  EXPECT_EQ(reply(R"({"method":"sum","params":[1],"id":null})",
                  find(all, "v1-notification-answered")->behaviour()),
            R"({"result":1,"error":null,"id":null})");
}

}  // namespace faults_of_1_0_test
}  // namespace jrpcheck::reference
