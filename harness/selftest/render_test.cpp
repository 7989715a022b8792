#include "selftest/render.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace jrpcheck::selftest {
namespace render_test {

// One that so many cases noticed over each transport.
Row row_of(Mutant::Kind kind, const std::string& name,
           std::initializer_list<std::pair<const char*, std::size_t>> noticed) {
  Row row;
  row.mutant.kind = kind;
  row.mutant.name = name;
  row.mutant.about = "It is odd.";
  for (const auto& [transport, cases] : noticed) {
    row.mutant.transports.emplace_back(transport);
    row.cells.push_back({transport, {}, {}, cases});
  }
  return row;
}

Matrix matrix_of(std::initializer_list<Row> rows) {
  Matrix matrix;
  matrix.rows = rows;
  return matrix;
}

void expect_within(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(KillMatrix, HasAColumnForEachTransportThatAFaultWasTriedOver) {
  const auto text = render_markdown(
      matrix_of({row_of(Mutant::Kind::fault, "shows-behind-tls", {{"tls", 4}}),
                 row_of(Mutant::Kind::fault, "shows-anywhere", {{"lines", 3}, {"tls", 0}})}),
      {});
  expect_within(text,
                "| fault | what is wrong | breaks | tls | lines |\n|---|---|---|---|---|\n"
                "| `shows-behind-tls` | It is odd. | - | 4 |  |\n"
                "| `shows-anywhere` | It is odd. | - | 0 | 3 |\n");
}

TEST(KillMatrix, HasNoColumnWhereNothingOfItsKindWasTried) {
  const auto text =
      render_markdown(matrix_of({row_of(Mutant::Kind::fault, "shows-on-unix", {{"unix", 1}}),
                                 row_of(Mutant::Kind::variant, "is-odd", {{"sse-endpoint", 0}})}),
                      {});
  expect_within(text, "| fault | what is wrong | breaks | unix |\n");
  expect_within(text, "| variant | what is odd | breaks | sse-endpoint |\n");
}

TEST(KillMatrix, TellsWhereARefusalIsTried) {
  auto refusal = row_of(Mutant::Kind::refusal, "lets-nobody-in", {{"tcp", 0}, {"tls", 0}});
  refusal.cells.clear();
  expect_within(render_markdown(matrix_of({refusal}), {}),
                "| refusal | what is odd | over |\n|---|---|---|\n"
                "| `lets-nobody-in` | It is odd. | tcp, tls |\n");
}

TEST(KillMatrix, TellsOfAClientInATableOfItsOwn) {
  const auto text = render_markdown(
      matrix_of({row_of(Mutant::Kind::fault, "waits-for-ever", {{"client-http", 2}})}), {});
  expect_within(text, "| fault | what is wrong | breaks |\n|---|---|---|\n\n");
  expect_within(text, "| `waits-for-ever` | It is odd. | - |  client-http   2 |\n");
}

TEST(KillMatrix, SaysOnALineOverWhichTransportsAFaultWasNoticed) {
  const auto text = render_text(
      matrix_of({row_of(Mutant::Kind::fault, "shows-behind-tls", {{"tls", 4}, {"sse", 12}})}),
      true);
  expect_within(text, "  tls   4  sse  12  -\n");
}

}  // namespace render_test
}  // namespace jrpcheck::selftest
