// Catalogue: what a server says that it has, by which cases about it are made.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/profile.hpp"
#include "json/value.hpp"

namespace jrpcheck::corpus {

struct Catalogue {
  json::Value declared = json::Value::null();  ///< what the server declared that it can do
  std::map<std::string, json::Value> lists = {};
  /// One that the server has given and called invalid (-32602), as JSON.
  struct RefusedCursor {
    std::string cursor;
    std::string behind = {};  ///< that of the page which has given it; empty: the first page has

    bool operator==(const RefusedCursor&) const = default;
  };
  std::map<std::string, RefusedCursor> refused_cursors = {};  ///< by the list
  std::map<std::string, ItemSelection> selections = {};       ///< those of the profile
  std::set<std::string> allowed = {};                         ///< names of items, by --allow

  /// The items of the list, or of the selection, of that name. A selection has those of its list
  /// that meet its conditions or are allowed by name.
  std::vector<const json::Value*> items(std::string_view name) const;
};

/// Whether an item meets the condition.
bool meets(const json::Value& item, const Condition& condition);
bool meets_all(const json::Value& item, const std::vector<Condition>& conditions);

/// An Object that fits such a schema (JSON Schema), with as little in it as may be; nothing where
/// that takes more than types, limits and choices, or is large.
std::optional<json::Value> arguments_for(const json::Value& schema);

/// The same with one member that nobody reads as a value of the type that it has in the schema;
/// nothing where none has such a type.
std::optional<json::Value> wrong_arguments_for(const json::Value& schema);

/// Whether arguments break the schema in a way that no reading of it and of them allows: what is
/// required is missing, or is of a type that nobody reads as the one that is due. Nothing where
/// they do not, or where it cannot be told.
std::optional<std::string> how_arguments_break(const json::Value& schema,
                                               const json::Value& arguments);

}  // namespace jrpcheck::corpus
