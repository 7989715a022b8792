#include "selftest/render.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/join.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::selftest {
namespace {

using Json = nlohmann::ordered_json;

// The bindings that mutants are tried over.
std::vector<std::string_view> columns() {
  std::vector<std::string_view> names;
  for (const auto& binding : wire::bindings()) {
    if (!binding.requirement_class.empty()) names.push_back(binding.name);
  }
  return names;
}

std::string table_head(std::string_view first, std::string_view second) {
  std::string head = fmt::format("| {} | {} | breaks |", first, second);
  std::string rule = "|---|---|---|";
  for (const auto name : columns()) {
    head += fmt::format(" {} |", name);
    rule += "---|";
  }
  return head + "\n" + rule + "\n";
}

const Cell* cell_over(const Row& row, std::string_view transport) {
  const auto found = std::ranges::find_if(
      row.cells, [&](const Cell& cell) { return cell.transport == transport; });
  return found == row.cells.end() ? nullptr : &*found;
}

// "http 12  lines 11  content-length -": by how many cases a mutant was noticed.
std::string numbers(const Row& row) {
  std::string text;
  if (row.mutant.is_of_client()) {
    for (const auto& cell : row.cells) {
      text += fmt::format("  {} {:>3}", cell.transport, cell.noticed);
    }
    return text;
  }
  for (const auto transport : columns()) {
    const Cell* cell = cell_over(row, transport);
    text += fmt::format("  {} {:>3}", transport, cell ? std::to_string(cell->noticed) : "-");
  }
  return text;
}

std::size_t count(const Matrix& matrix, Mutant::Kind kind) {
  return static_cast<std::size_t>(std::ranges::count_if(
      matrix.rows, [kind](const Row& row) { return row.mutant.kind == kind; }));
}

std::string cell_text(const Row& row, std::string_view transport) {
  const Cell* cell = cell_over(row, transport);
  return cell == nullptr ? "" : std::to_string(cell->noticed);
}

std::string requirement_list(const Mutant& mutant) {
  return mutant.requirements.empty() ? "-" : joined(mutant.requirements);
}

Json json_of(const Row& row) {
  Json cells = Json::array();
  for (const auto& cell : row.cells) {
    Json charges = Json::array();
    for (const auto& [requirement, charge] : cell.charges) {
      charges.push_back({{"requirement", requirement},
                         {"severity", charge.fails ? "fail" : "warn"},
                         {"cases", charge.cases}});
    }
    cells.push_back({{"transport", cell.transport},
                     {"cases", cell.noticed},
                     {"claimed-by", cell.claimed},
                     {"charges", std::move(charges)}});
  }
  return {{"name", row.mutant.name},
          {"kind", name_of(row.mutant.kind)},
          {"about", row.mutant.about},
          {"requirements", row.mutant.requirements},
          {"consequences", row.mutant.consequences},
          {"trials", std::move(cells)}};
}

}  // namespace

std::string render_text(const Matrix& matrix, bool verbose) {
  std::string text;
  const auto out = std::back_inserter(text);
  if (verbose) {
    for (const auto& row : matrix.rows) {
      fmt::format_to(out, "{:<8} {:<52}{}  {}\n", name_of(row.mutant.kind), row.mutant.name,
                     numbers(row), requirement_list(row.mutant));
    }
    text += '\n';
  }
  for (const auto& problem : matrix.problems) {
    fmt::format_to(out, "{:<18} {}: {}\n", name_of(problem.kind), problem.about, problem.text);
  }
  std::size_t trials = 0;
  for (const auto& row : matrix.rows) trials += row.cells.size();
  fmt::format_to(
      out,
      "{}: {} faults, {} deep faults and {} variants in {} trials; {} cases notice faults; {} "
      "problems\n",
      matrix.problems.empty() ? "good" : "bad", count(matrix, Mutant::Kind::fault),
      count(matrix, Mutant::Kind::deep), count(matrix, Mutant::Kind::variant), trials,
      matrix.kills.size(), matrix.problems.size());
  return text;
}

std::string render_markdown(const Matrix& matrix, const corpus::Corpus& corpus) {
  std::string text =
      "# The kill matrix\n\n"
      "Made by `jrpcheck selftest --thorough --markdown`: the whole corpus against the reference "
      "server with "
      "one seeded\nfault or legal oddity at a time. The numbers are cases that noticed it over "
      "each transport; an empty\nfield means that it does not show there.\n\n" +
      table_head("fault", "what is wrong");
  const auto out = std::back_inserter(text);
  const auto rows = [&](Mutant::Kind kind) {
    for (const auto& row : matrix.rows) {
      if (row.mutant.kind != kind || row.mutant.is_of_client()) continue;
      fmt::format_to(out, "| `{}` | {} | {} |", row.mutant.name, row.mutant.about,
                     requirement_list(row.mutant));
      for (const auto name : columns()) fmt::format_to(out, " {} |", cell_text(row, name));
      text += '\n';
    }
  };
  rows(Mutant::Kind::fault);
  text +=
      "\nDeep faults need a combination that no case holds: no case notices them, and fuzzing is "
      "measured by them\n(fuzz-benchmark.md).\n\n" +
      table_head("deep fault", "what is wrong");
  rows(Mutant::Kind::deep);
  text += "\nNo variant fails a case; the numbers are cases that warn.\n\n" +
          table_head("variant", "what is odd");
  rows(Mutant::Kind::variant);
  text += "\nThese let nobody in: there is nothing to judge, and the run says why.\n\n" +
          table_head("refusal", "what is odd");
  rows(Mutant::Kind::refusal);
  text +=
      "\nThe reference client, and how many scenarios noticed what is wrong with it, or warned of "
      "what is odd.\n\n"
      "| fault or variant | what is wrong | breaks | noticed |\n|---|---|---|---|\n";
  for (const auto& row : matrix.rows) {
    if (!row.mutant.is_of_client()) continue;
    fmt::format_to(out, "| `{}` | {} | {} |{} |\n", row.mutant.name, row.mutant.about,
                   requirement_list(row.mutant), numbers(row));
  }
  text += "\n| case | claims | notices in all |\n|---|---|---|\n";
  for (const auto& one : corpus.cases) {
    const auto noticed = matrix.kills.find(one.id);
    fmt::format_to(out, "| `{}` | {} | {} |\n", one.id, fmt::join(one.kills, ", "),
                   noticed == matrix.kills.end() ? 0 : noticed->second.size());
  }
  return text;
}

std::string render_json(const Matrix& matrix, const corpus::Corpus& corpus) {
  Json mutants = Json::array();
  for (const auto& row : matrix.rows) mutants.push_back(json_of(row));
  Json cases = Json::array();
  for (const auto& one : corpus.cases) {
    const auto noticed = matrix.kills.find(one.id);
    cases.push_back(
        {{"id", one.id},
         {"kills", one.kills},
         {"notices", noticed == matrix.kills.end() ? std::set<std::string>() : noticed->second}});
  }
  Json problems = Json::array();
  for (const auto& problem : matrix.problems) {
    problems.push_back(
        {{"kind", name_of(problem.kind)}, {"about", problem.about}, {"text", problem.text}});
  }
  const Json document = {{"good", matrix.problems.empty()},
                         {"problems", std::move(problems)},
                         {"mutants", std::move(mutants)},
                         {"cases", std::move(cases)}};
  return document.dump(2) + "\n";
}

}  // namespace jrpcheck::selftest
