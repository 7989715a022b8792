#include "run/danger.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/case_ids.hpp"

namespace jrpcheck::run {
namespace danger_test {

Danger danger(const std::string& id) {
  const auto& corpus = corpus::corpus_for_testing();
  const auto* one = corpus.find(id);
  if (one == nullptr) {
    ADD_FAILURE() << id;
    return Danger::none;
  }
  corpus::RoleBindings roles;
  for (const auto& role : corpus::known_roles()) roles[role] = role;
  const auto bound = corpus::bind(*one, bindings_for(1, 0, roles));
  EXPECT_TRUE(bound) << id;
  return bound ? danger_of(*bound) : Danger::none;
}

TEST(DangerOfACase, IsNoneOfRequestsAloneAndInBatches) {
  for (const auto* id :
       {"error/unknown-method", "batch/three-known-calls", "id/true-on-known-method",
        "request/version-wrong-served", "params/string"}) {
    EXPECT_EQ(danger(id), Danger::none) << id;
  }
}

TEST(DangerOfACase, GrowsFromBrokenTextsToDepthAndLengthToOtherValues) {
  for (const auto* id : {"error/not-json", "json/truncated", "robust/name-proto",
                         "notification/unusual-names", "http/empty-body"}) {
    EXPECT_EQ(danger(id), Danger::broken) << id;
  }
  for (const auto* id : {"error/null-instead-of-object", "batch/null-alone", "batch/empty",
                         "batch/primitives-among-calls"}) {
    EXPECT_EQ(danger(id), Danger::kinds) << id;
  }
  for (const auto* id :
       {"robust/deep-params", "robust/unclosed-brackets", "id/64-kib-on-success"}) {
    EXPECT_EQ(danger(id), Danger::weight) << id;
  }
}

}  // namespace danger_test
}  // namespace jrpcheck::run
