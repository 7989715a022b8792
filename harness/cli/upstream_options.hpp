// The options of jrpcheck client that name a real server, of whose answers one is bent.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/commands.hpp"
#include "client/manner.hpp"
#include "run/options.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {

/// What --client-timeout takes at least, in seconds.
inline constexpr double kLeastPatience = 0.05;

/// As they are typed.
struct UpstreamWords {
  std::string target;
  std::string command;
  std::string framing;
  transport::TlsOptions tls;
  long long answer = 0;  ///< 0: not said
};

void declare_upstream(CLI::App& app, UpstreamWords& words);

struct UpstreamOptions {
  run::Options endpoint;  ///< a target or a command
  std::size_t answer = 0;
  const client::Door* door = nullptr;
  std::vector<std::string> repeated;  ///< words of the command line that say all this
};

/// Nothing where no upstream is named. `door`: the one that the user names, or empty.
Result<std::optional<UpstreamOptions>> interpret_upstream(const UpstreamWords& words,
                                                          const std::string& door);

/// The door of that name, or the usual one: through which a client reaches jrpcheck, and what it
/// says can be carried to the endpoint where that is an upstream.
Result<const client::Door*> door_towards(const run::Options& endpoint, const std::string& named,
                                         bool is_upstream = true);

/// What the client's run is to be told; the peer is kept in `peer`.
client::BendOptions bend_options(const UpstreamOptions& options, transport::Guardian& guardian,
                                 std::unique_ptr<transport::Peer>& peer);

/// The words of a line as a POSIX shell tells them apart, by blanks, quotes and backslashes;
/// nothing in them is replaced by anything. An Error where a quote is not closed.
Result<std::vector<std::string>> split_words(const std::string& line);

}  // namespace jrpcheck::cli
