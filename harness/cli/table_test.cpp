#include "cli/table.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::cli {
namespace table_test {

using Texts = std::vector<std::string>;

Table small_table() {
  return {{{"id"}, {"clause"}, {"more", false}, {"tags"}},
          {{std::string("a"), std::string("§4"), std::string("\"x\""), Texts{"one", "two"}},
           {std::string("long-id"), std::string(""), std::string(""), Texts{}}}};
}

TEST(Table, ColumnsForPeopleAreAlignedByCharacters) {
  EXPECT_EQ(to_text(small_table()),
            "ID       CLAUSE  TAGS\n"
            "a        §4      one,two\n"
            "long-id\n");
}

TEST(Table, ProgramsGetEveryColumn) {
  EXPECT_EQ(to_json(small_table()),
            "[\n"
            R"({"id":"a","clause":"§4","more":"\"x\"","tags":["one","two"]})"
            ",\n"
            R"({"id":"long-id","clause":"","more":"","tags":[]})"
            "\n]\n");
}

TEST(Table, WhatIsInvisibleIsShown) {
  const Table table{{{"title"}}, {{std::string("a\x1b[2J\n\xC2\x9B")}}};
  EXPECT_EQ(to_text(table), "TITLE\na\\x1b[2J\\n\\xc2\\x9b\n");
  EXPECT_EQ(to_json(table), "[\n{\"title\":\"a\\u001b[2J\\n\\u009b\"}\n]\n");
}

TEST(Table, WithoutRowsTheJsonIsAnEmptyArray) { EXPECT_EQ(to_json({{{"id"}}, {}}), "[\n]\n"); }

}  // namespace table_test
}  // namespace jrpcheck::cli
