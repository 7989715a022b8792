// Where what the ledger cites can be read.
#pragma once

#include <string>
#include <string_view>

#include "corpus/ledger.hpp"

namespace jrpcheck::reports {

/// The address of the first clause that the requirement cites; empty where no document says it.
std::string clause_link(const corpus::Requirement& requirement);

/// The thread of a citation that reads "owner/project #7: what was seen"; empty where it names
/// none.
std::string thread_link(std::string_view citation);

}  // namespace jrpcheck::reports
