#include "cli/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "json/value.hpp"

namespace jrpcheck::cli {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), to_upper);
  return text;
}

std::string line_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += cells[i];
    if (i + 1 < cells.size()) line += std::string(widths[i] + 2 - code_points_in(cells[i]), ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

json::Value json_of(const Cell& cell) {
  if (!cell.is_list) return json::Value::string(cell.texts.front());
  json::Value list = json::Value::array();
  for (const auto& text : cell.texts) list.append(json::Value::string(text));
  return list;
}

}  // namespace

std::string to_text(const Table& table) {
  std::vector<std::vector<std::string>> lines(1);
  for (const auto& column : table.columns) {
    if (column.for_people) lines[0].push_back(upper(column.name));
  }
  for (const auto& row : table.rows) {
    std::vector<std::string> line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (table.columns[i].for_people)
        line.push_back(
            to_visible(fmt::format("{}", fmt::join(row[i].texts, ",")), std::string::npos / 2));
    }
    lines.push_back(std::move(line));
  }
  std::vector<std::size_t> widths(lines[0].size());
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], code_points_in(line[i]));
  }
  std::string text;
  for (const auto& line : lines) text += line_of(line, widths);
  return text;
}

std::string to_json(const Table& table) {
  std::string text;
  for (const auto& row : table.rows) {
    json::Value object = json::Value::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      object.append(table.columns[i].name, json_of(row[i]));
    }
    text += (text.empty() ? "\n" : ",\n") + json::write(object);
  }
  return inert_json("[" + text + "\n]\n");
}

}  // namespace jrpcheck::cli
