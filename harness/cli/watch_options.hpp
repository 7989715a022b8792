// The options of jrpcheck watch.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "cli/commands.hpp"
#include "cli/verdict_options.hpp"
#include "corpus/corpus.hpp"
#include "run/options.hpp"
#include "transport/listener.hpp"

namespace jrpcheck::cli {

enum class FailOn { fail, warn, never };

/// Where others are to connect to.
struct ListenAddress {
  std::string path;               ///< of a socket of this machine; else empty
  transport::TcpAddress address;  ///< else
};

struct WatchOptions : VerdictOptions {
  std::optional<ListenAddress> listen;  ///< absent: in the place of a program on stdio
  run::Options endpoint;                ///< the target or the command, and the framing
  corpus::Corpus corpus;
  std::string record;  ///< a file; empty: nothing is recorded
  FailOn fail_on = FailOn::never;
  Clock::time_point end = Clock::time_point::max();  ///< of the watching, by --max-time
};

using ReadWatchOptions = std::function<Result<WatchOptions>(const CommandLine&)>;

/// Declares the options of the command; what comes back reads them.
ReadWatchOptions declare_watch_options(CLI::App& app);

}  // namespace jrpcheck::cli
