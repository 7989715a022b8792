// What keeps jrpcheck itself from going on: memory, descriptors or processes that are not to be
// had.
#pragma once

#include <functional>
#include <string>

namespace jrpcheck {

/// Does `work`, and lets no exception out of it: one that leaves a thread would be the end of the
/// program, and of its report. Says what kept it from its end; empty where nothing did.
std::string failure_of(const std::function<void()>& work);

/// The same for the work of a whole command. Memory is kept aside meanwhile, so that there is some
/// for a report that says what it was that failed.
std::string failure_of_command(const std::function<void()>& work);

}  // namespace jrpcheck
