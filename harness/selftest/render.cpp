#include "selftest/render.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "base/join.hpp"

namespace jrpcheck::selftest {
namespace {

using Json = nlohmann::ordered_json;

// Those of this kind that are told of in the tables of the server.
std::vector<const Row*> rows_of(const Matrix& matrix, Mutant::Kind kind) {
  std::vector<const Row*> rows;
  for (const auto& row : matrix.rows) {
    if (row.mutant.kind == kind && !row.mutant.is_of_client()) rows.push_back(&row);
  }
  return rows;
}

// The transports that they were tried over, those of most rows first.
std::vector<std::string> columns_of(const std::vector<const Row*>& rows) {
  std::map<std::string, std::size_t> counts;
  for (const Row* row : rows) {
    for (const auto& cell : row->cells) ++counts[cell.transport];
  }
  std::vector<std::string> columns;
  columns.reserve(counts.size());
  for (const auto& [transport, trials] : counts) columns.push_back(transport);
  std::ranges::stable_sort(columns, std::ranges::greater(),
                           [&](const std::string& each) { return counts[each]; });
  return columns;
}

const Cell* cell_over(const Row& row, std::string_view transport) {
  const auto found = std::ranges::find_if(
      row.cells, [&](const Cell& cell) { return cell.transport == transport; });
  return found == row.cells.end() ? nullptr : &*found;
}

// "http 12  lines 11": by how many cases a mutant was noticed.
std::string numbers(const Row& row) {
  std::string text;
  for (const auto& cell : row.cells) {
    text += fmt::format("  {} {:>3}", cell.transport, cell.noticed);
  }
  return text;
}

std::size_t count(const Matrix& matrix, Mutant::Kind kind) {
  return static_cast<std::size_t>(std::ranges::count_if(
      matrix.rows, [kind](const Row& row) { return row.mutant.kind == kind; }));
}

std::string requirement_list(const Mutant& mutant) {
  return mutant.requirements.empty() ? "-" : joined(mutant.requirements);
}

std::string begin_row(const Row& row) {
  return fmt::format("| `{}` | {} | {} |", row.mutant.name, row.mutant.about,
                     requirement_list(row.mutant));
}

// A column for each transport that one of them was tried over.
std::string table(const Matrix& matrix, Mutant::Kind kind, std::string_view first,
                  std::string_view second) {
  const auto rows = rows_of(matrix, kind);
  const auto columns = columns_of(rows);
  std::string text = fmt::format("| {} | {} | breaks |", first, second);
  for (const auto& column : columns) text.append(" ").append(column).append(" |");
  text += "\n|---|---|---|";
  for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
  text += '\n';
  for (const Row* row : rows) {
    text += begin_row(*row);
    for (const auto& column : columns) {
      const Cell* cell = cell_over(*row, column);
      text += fmt::format(" {} |", cell == nullptr ? "" : std::to_string(cell->noticed));
    }
    text += '\n';
  }
  return text;
}

// There was nothing to notice.
std::string table_of_refusals(const Matrix& matrix) {
  std::string text = "| refusal | what is odd | over |\n|---|---|---|\n";
  for (const Row* row : rows_of(matrix, Mutant::Kind::refusal)) {
    fmt::format_to(std::back_inserter(text), "| `{}` | {} | {} |\n", row->mutant.name,
                   row->mutant.about, joined(row->mutant.transports));
  }
  return text;
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
      "each transport; an empty\nfield means that it was not tried there.\n\n"
      "`lines` and `content-length` are the standard streams of a program; `tcp` are lines on a "
      "socket, `tls` the same\nbehind TLS, and `unix` on a Unix socket; `tcp-length32` are "
      "messages "
      "behind their length in four bytes.\n`sse` are answers on the event stream of a POST, and "
      "`sse-endpoint` on one that a GET opens.\nOf the faults that show anywhere a few are drawn "
      "to be tried over `tls`, `unix` and `sse` as well.\n\n";
  text += table(matrix, Mutant::Kind::fault, "fault", "what is wrong");
  text +=
      "\nDeep faults need a combination that no case holds: no case notices them, and fuzzing is "
      "measured by them\n(fuzz-benchmark.md).\n\n";
  text += table(matrix, Mutant::Kind::deep, "deep fault", "what is wrong");
  text += "\nNo variant fails a case; the numbers are cases that warn.\n\n";
  text += table(matrix, Mutant::Kind::variant, "variant", "what is odd");
  text += "\nThese let nobody in: there is nothing to judge, and the run says why.\n\n";
  text += table_of_refusals(matrix);
  const auto out = std::back_inserter(text);
  text +=
      "\nThe reference client, and how many scenarios noticed what is wrong with it, or warned of "
      "what is odd.\n\n"
      "| fault or variant | what is wrong | breaks | noticed |\n|---|---|---|---|\n";
  for (const auto& row : matrix.rows) {
    if (!row.mutant.is_of_client()) continue;
    fmt::format_to(out, "{}{} |\n", begin_row(row), numbers(row));
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
