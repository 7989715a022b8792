#include "transport/resident_memory.hpp"

#include <unistd.h>

#include "transport/process_group.hpp"

namespace jrpcheck::transport {

std::optional<std::size_t> resident_memory(pid_t process_group) {
  const auto processes = processes_of({process_group});
  if (processes.empty()) return std::nullopt;
  std::size_t pages = 0;
  for (const auto& each : processes) pages += each.pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace jrpcheck::transport
