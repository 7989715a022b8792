// Targets: servers and clients that others wrote, and how anyone starts them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace jrpcheck::targets {

enum class Kind { server, client };

std::string_view name_of(Kind kind);

/// The table in which a target stands.
enum class Group { library, product, mcp, lsp, ethereum, client };

std::string_view name_of(Group group);

/// One file of targets/; targets/target.schema.json says what each member means.
struct Target {
  std::string name;  ///< that of the file
  Kind kind = Kind::server;
  Group group = Group::library;
  std::string about;
  std::string home;
  std::string licence;
  std::string version;
  std::vector<std::string> npm;  ///< packages with their versions
  std::vector<std::string> apt;  ///< packages
  std::string wrapper;
  std::vector<std::string> start;
  std::string door;
  std::string target;
  std::string profile;
  std::string methods;
  std::vector<std::string> options;
  std::vector<std::string> limits;
  /// What scripts/targets adds where it keeps the description beside a run.
  std::string found;       ///< the version that was judged
  std::string not_judged;  ///< why there is no run

  const std::string& judged_version() const { return found.empty() ? version : found; }
};

/// Whether it is one by its place, or by what it says of itself.
bool is_target_file(std::string_view path, std::string_view text);

/// The name of the target of targets/NAME.json and of NAME.target.json, which lies beside a run.
std::string target_name(std::string_view path);

/// Reads the text of a description; errors name `path`. What only the linter minds is no error.
Result<Target> read_target(const std::string& path, std::string_view text);

}  // namespace jrpcheck::targets
