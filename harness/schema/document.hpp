// The document in which schemas stand, once it is known to be one.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "base/result.hpp"
#include "json/value.hpp"
#include "schema/pattern.hpp"

namespace jrpcheck::schema {

/// Drafts give some keywords another meaning; `unnamed`: the document does not say which it is of.
enum class Draft { unnamed, up_to_7, since_2019 };

struct Document {
  json::Value root;
  Draft draft = Draft::unnamed;
  /// Whether a part of it has a name of its own, by which references go elsewhere.
  bool has_resources = false;
  std::map<std::string, std::shared_ptr<const Pattern>> patterns = {};  ///< null: cannot be matched

  /// What a reference leads to; null where it leads out of the document, to a name or nowhere.
  const json::Value* target(const std::string& reference) const;
};

/// Goes through all schemas that the one at `pointer` may need, and reads their patterns. The
/// error says which keyword is none, and where. `checked`: those that were gone through before.
Result<bool> check(Document& document, const std::string& pointer,
                   std::set<const json::Value*>& checked);

Draft draft_of(const json::Value& root);

}  // namespace jrpcheck::schema
