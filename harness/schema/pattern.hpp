// The regular expressions of JSON Schema, which are those of ECMA-262.
#pragma once

#include <memory>
#include <string>

namespace jrpcheck::schema {

/// Matched in time that is linear in the text, whatever the expression: a server may choose both.
class Pattern {
 public:
  /// Null where it is none, or has what cannot be matched so or means something else elsewhere,
  /// such as a look around or a reference back.
  static std::shared_ptr<const Pattern> compile(const std::string& expression);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  enum class Match { yes, no, unknown };
  /// Anywhere in the text, which is UTF-8.
  Match find_in(const std::string& text) const;

 private:
  struct Compiled;
  explicit Pattern(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace jrpcheck::schema
