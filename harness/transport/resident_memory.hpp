// How much memory a program that was started holds.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>

namespace jrpcheck::transport {

/// The bytes that all processes of a group hold in memory (resident set size) at this moment; pages
/// that they share count for each. Nothing where the system does not say, or no such process runs.
std::optional<std::size_t> resident_memory(pid_t process_group);

}  // namespace jrpcheck::transport
