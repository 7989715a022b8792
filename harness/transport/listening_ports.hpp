// The TCP ports that a program listens on, and who listens on one.
#pragma once

#include <sys/types.h>

#include <vector>

namespace jrpcheck::transport {

/// The ports on which a process of the group accepts TCP connections on this machine, ascending;
/// empty where the system does not tell.
std::vector<int> listening_ports(pid_t process_group);

/// The processes that accept TCP connections on that port of this machine; none where the system
/// does not tell, as of those of another user.
std::vector<pid_t> listeners_at(int port);

}  // namespace jrpcheck::transport
