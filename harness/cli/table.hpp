// Rows with named columns: aligned for people, or JSON for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck::cli {

/// What stands in one row and column: one text, or a list of them.
struct Cell {
  Cell(std::string one) : texts{std::move(one)} {}
  Cell(std::string_view one) : texts{std::string(one)} {}
  Cell(std::vector<std::string> several) : texts(std::move(several)), is_list(true) {}

  std::vector<std::string> texts;
  bool is_list = false;
};

struct Column {
  std::string name;
  bool for_people = true;  ///< else only programs get it: it would not fit on a line
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< each as long as `columns`
};

/// A heading and a line for each row.
std::string to_text(const Table& table);

/// An Array with an Object for each row, on a line of its own.
std::string to_json(const Table& table);

}  // namespace jrpcheck::cli
