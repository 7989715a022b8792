// The TCP ports that a program listens on.
#pragma once

#include <sys/types.h>

#include <vector>

namespace jrpcheck::transport {

/// The ports on which a process of the group accepts TCP connections on this machine, ascending;
/// empty where the system does not tell.
std::vector<int> listening_ports(pid_t process_group);

}  // namespace jrpcheck::transport
