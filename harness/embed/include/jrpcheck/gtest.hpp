// The corpus of jrpcheck as parameterised tests of a handler:
//
//   #include <jrpcheck/gtest.hpp>
//
//   std::optional<std::string> handle(std::string_view message);
//   JRPCHECK_INSTANTIATE(handle)
//
// gives a test for each case: Corpus/JsonRpc.Conforms/batch__empty, where __ stands for / and _ for
// -. A violation fails; what is only inadvisable is printed and passes, unless JRPCHECK_STRICT is
// defined; a case that needs a method with a known behaviour is skipped and says which.
//
//   JRPCHECK_INSTANTIATE_NAMED(Echo, handle, options)   several in one program, or with Options
//
// Link jrpcheck::gtest and a main, such as GTest::gtest_main.
#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include <jrpcheck/judge.hpp>

namespace jrpcheck::embed {

/// The ids of the cases that can be put to a handler.
inline std::vector<std::string> ids_for_handlers(const Options& options = {}) {
  std::vector<std::string> ids;
  for (const auto& each : cases(options.profile)) {
    if (each.for_handlers) ids.push_back(each.id);
  }
  return ids;
}

/// The same for what is given to JRPCHECK_INSTANTIATE.
template <typename AnyHandler>
std::vector<std::string> ids_for(const AnyHandler&, const Options& options = {}) {
  return ids_for_handlers(options);
}

/// GoogleTest allows letters, digits and _ in names.
inline std::string test_name_of(const std::string& case_id) {
  std::string name;
  for (const char c : case_id) {
    if (c == '/') {
      name += "__";
    } else {
      name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    }
  }
  return name;
}

struct NameOfTest {
  std::string operator()(const ::testing::TestParamInfo<std::string>& of_test) const {
    return test_name_of(of_test.param);
  }
};

/// Ends the test as the report says.
inline void conclude(const CaseReport& report) {
#ifdef JRPCHECK_STRICT
  constexpr bool kWarningsFail = true;
#else
  constexpr bool kWarningsFail = false;
#endif
  switch (report.verdict) {
    case Verdict::pass:
      return;
    case Verdict::not_exercised:
      GTEST_SKIP() << report.reason;
      return;
    case Verdict::warn:
      if (!kWarningsFail) {
        std::cout << report.text() << std::flush;
        return;
      }
      [[fallthrough]];
    case Verdict::fail:
      FAIL() << report.text();
  }
}

}  // namespace jrpcheck::embed

#define JRPCHECK_INSTANTIATE(...) JRPCHECK_INSTANTIATE_NAMED(JsonRpc, __VA_ARGS__)

#define JRPCHECK_INSTANTIATE_NAMED(name, ...)                                            \
  class name : public ::testing::TestWithParam<std::string> {};                          \
  TEST_P(name, Conforms) {                                                               \
    static ::jrpcheck::embed::Judge judge(__VA_ARGS__);                                  \
    ::jrpcheck::embed::conclude(judge.judge(GetParam()));                                \
  }                                                                                      \
  INSTANTIATE_TEST_SUITE_P(Corpus, name,                                                 \
                           ::testing::ValuesIn(::jrpcheck::embed::ids_for(__VA_ARGS__)), \
                           ::jrpcheck::embed::NameOfTest());
