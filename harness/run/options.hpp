// What a user asks of a run.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/bindings.hpp"
#include "corpus/corpus.hpp"
#include "session/conversation.hpp"
#include "transport/target.hpp"
#include "wire/framing.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::run {

struct Options {
  std::optional<transport::HttpTarget> target;  ///< absent: the command is a program on stdio
  std::vector<std::string> command;             ///< empty: the target is run by somebody else
  std::optional<wire::FramingKind> framing;     ///< absent: found out
  wire::HttpFields headers;                     ///< --header
  std::string opening_name;
  session::Opening opening;
  corpus::RoleBindings roles;  ///< --methods
  corpus::Selection selection;
  microseconds timeout = milliseconds(5000);
  int jobs = 0;  ///< 0: as many as suit the transport
  unsigned long long seed = 0;
};

}  // namespace jrpcheck::run
