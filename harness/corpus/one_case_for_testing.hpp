// A case file for the tests of loading, and edits of it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace jrpcheck::corpus {

/// A file with one right case.
inline constexpr std::string_view kRight = R"({
  "about": "One case.",
  "cases": [
    {
      "id": "group/name",
      "title": "A call is answered",
      "requirements": ["res-always"],
      "observes": "answers",
      "steps": [
        {
          "send": {"json": {"id": 1}},
          "accept": [
            {"response": {"error": {"code": -32600}, "id": null}, "observe": "refused"}
          ]
        }
      ]
    }
  ]
}
)";

/// That file with one edit; what is replaced is there once.
inline std::string edited(std::string_view replace, std::string_view with) {
  std::string text(kRight);
  const auto at = text.find(replace);
  EXPECT_NE(at, std::string::npos) << replace;
  EXPECT_EQ(text.find(replace, at + 1), std::string::npos) << replace << " is there twice";
  return text.replace(at, replace.size(), with);
}

// Places of the file that tests edit.
inline constexpr std::string_view kSend = R"({"json": {"id": 1}})";
inline constexpr std::string_view kOutcome =
    R"({"response": {"error": {"code": -32600}, "id": null}, "observe": "refused"})";
inline constexpr std::string_view kStepMember = R"("accept": [)";
inline constexpr std::string_view kCaseMember = R"("observes": "answers")";

}  // namespace jrpcheck::corpus
