#include "reference-impl/descriptor.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace jrpcheck::reference {

namespace {

/// Whether a call that failed is worth another try. A parent may have left a descriptor in
/// non-blocking mode, which outlives exec(3) and is shared with everybody who holds it.
bool may_retry(int descriptor, short event) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd waiting{descriptor, event, 0};
  ::poll(&waiting, 1, -1);
  return true;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

std::size_t read_some(int descriptor, std::span<char> buffer) {
  while (true) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count >= 0) return static_cast<std::size_t>(count);
    if (!may_retry(descriptor, POLLIN)) return 0;
  }
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (!may_retry(descriptor, POLLOUT)) {
      return false;
    }
  }
  return true;
}

}  // namespace jrpcheck::reference
