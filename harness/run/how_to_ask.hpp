// The call by which a run sees whether a server serves: found among those that this one answers.
#pragma once

#include <string>

#include "corpus/corpus.hpp"
#include "run/case_runner.hpp"
#include "run/endings.hpp"
#include "run/endpoint.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Where an end of the server among the first calls is noted.
inline constexpr const char* kAtTheBeginning = "among the first calls";

struct Obstacle {
  std::string text;  ///< why the server cannot be judged, or nothing
  bool other_dialect = false;
};

/// Teaches endpoint and conversation a control call that is answered. A server of 1.0 that is asked
/// in 2.0 is told so once, in the result of the first case.
Obstacle find_how_to_ask(Endpoint& endpoint, session::Conversation& conversation,
                         const session::ControlCall& present, const corpus::RoleBindings& roles,
                         CaseRun& first, Endings& endings);

}  // namespace jrpcheck::run
