// The requirement ledger: what the specification demands, entry by entry.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"

namespace jrpcheck::corpus {

/// What a violation of a requirement means.
enum class Level {
  must,    ///< it fails
  should,  ///< it warns; fails under --strict
  info,    ///< it is recorded, never counted
};

std::string_view name_of(Level level);

/// One requirement in our own words. Its id is stable for ever.
struct Requirement {
  std::string id;
  std::string clause;  ///< of JSON-RPC 2.0 where no other document is named; "-" for none
  Level level = Level::must;
  std::string class_name;  ///< core, json, robust, security, stdio, lsp, http, ...
  std::string text;
  std::string note;
  std::string status;             ///< empty, or why no case tests it
  std::string why;                ///< what breaks for a client where it is violated
  std::vector<std::string> seen;  ///< servers that got it wrong: project, thread and what was seen
  std::vector<std::string> versions = {};  ///< of its protocol; empty: all
  /// JSON pointers into what a server declares, all of which lead to something where this applies.
  std::vector<std::string> when = {};

  /// "JSON-RPC 2.0 §4.1", "RFC 8259 §8.1"; empty where no document says it.
  std::string cited_clause() const;
};

/// All requirements, in the order of the file.
class Ledger {
 public:
  /// Reads the text of a ledger; `name` is the file's name for errors.
  static Result<Ledger> load(const std::string& name, std::string_view text);
  /// The entries that are right; the errors tell of the others, in the order of the file.
  static Ledger load_sound(const std::string& name, std::string_view text,
                           std::vector<Error>& errors);

  /// Takes in those of another file; the error names one that is there already.
  Result<bool> append(Ledger other);
  /// Those have a case after all: what their status says of that is dropped.
  void set_tested(const std::function<bool(const Requirement&)>& is_tested);
  /// Leaves those for which `keep` says so.
  void keep_only(const std::function<bool(const Requirement&)>& keep);

  const std::vector<Requirement>& requirements() const { return requirements_; }
  /// The requirement of that id, or null.
  const Requirement* find(std::string_view id) const;

 private:
  std::vector<Requirement> requirements_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace jrpcheck::corpus
