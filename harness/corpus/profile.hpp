// Profile: which JSON-RPC a server is judged by. Plain data, read from cases/profiles/.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "corpus/dialect.hpp"

namespace jrpcheck::corpus {

struct Profile {
  std::string name;   ///< what --profile takes: "jsonrpc-2.0"
  std::string title;  ///< one line for people
  /// How the calls are written that belong to no case: control calls and the discovery of roles.
  Dialect dialect = Dialect::json_rpc_2_0;
  /// Classes of requirements. Those of a transport apply where the server speaks over it.
  std::vector<std::string> classes;
  /// Method names that are tried for a role before all others.
  std::map<std::string, std::vector<std::string>> roles = {};
  /// Messages of the handshake that comes before anything else; none: there is none.
  std::vector<std::string> opening = {};
  std::string framing = {};       ///< that its servers speak on a stream; empty: it is found out
  bool batches_optional = false;  ///< the protocol has none, so that refusing them is no fault

  bool has_class(std::string_view class_name) const;
};

/// What --profile is when nobody names one.
inline constexpr std::string_view kDefaultProfile = "jsonrpc-2.0";

/// Reads the text of a file of cases/profiles/; `name` is the file's name for errors.
Result<Profile> load_profile(const std::string& name, std::string_view text);

}  // namespace jrpcheck::corpus
