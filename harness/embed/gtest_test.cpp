// The reference server through the adapter: its tests are tests of this program.
#include <jrpcheck/gtest.hpp>

#include <set>

#include "reference-impl/methods.hpp"

namespace gtest_test {

std::optional<std::string> reference_handler(std::string_view message) {
  static const auto dispatcher = jrpcheck::reference::make_reference_dispatcher();
  return dispatcher.handle(message);
}

JRPCHECK_INSTANTIATE(reference_handler)

using jrpcheck::embed::ids_for_handlers;
using jrpcheck::embed::test_name_of;

TEST(Adapter, NamesATestForEachCase) {
  std::set<std::string> names;
  for (const auto& id : ids_for_handlers()) names.insert(test_name_of(id));
  EXPECT_EQ(names.size(), ids_for_handlers().size());
  EXPECT_EQ(names.count("batch__empty"), 1U);
  EXPECT_EQ(names.count("error__not_json"), 1U);
}

}  // namespace gtest_test
