#include "fuzz/edge_map.hpp"

#include <sys/ipc.h>
#include <sys/shm.h>

#include <cstdlib>
#include <string>

namespace jrpcheck::fuzz {
namespace {

// AFL's usual 64 KiB are too few for large programs, whose runtime would refuse to start.
constexpr std::size_t kBytes = 1U << 20;
// To look through all of it costs more than an exchange: what is in use is looked up now and then.
constexpr unsigned kTakesBetween = 64;

constexpr const char* kSegmentVariable = "__AFL_SHM_ID";
constexpr const char* kSizeVariable = "AFL_MAP_SIZE";

}  // namespace

Result<std::unique_ptr<EdgeMap>> EdgeMap::share() {
  const int id = ::shmget(IPC_PRIVATE, kBytes, IPC_CREAT | IPC_EXCL | 0600);
  if (id < 0) return Error{"there is no shared memory for the map of edges"};
  void* bytes = ::shmat(id, nullptr, 0);
  // Linux lets programs attach what is marked to be removed, and nothing is left behind by that.
  ::shmctl(id, IPC_RMID, nullptr);
  if (reinterpret_cast<std::intptr_t>(bytes) == -1) {
    return Error{"the shared memory for the map of edges cannot be attached"};
  }
  ::setenv(kSegmentVariable, std::to_string(id).c_str(), 1);
  ::setenv(kSizeVariable, std::to_string(kBytes).c_str(), 1);
  return std::unique_ptr<EdgeMap>(new EdgeMap(static_cast<std::uint8_t*>(bytes)));
}

EdgeMap::EdgeMap(std::uint8_t* bytes) : bytes_(bytes), seen_(kBytes) {}

EdgeMap::~EdgeMap() {
  ::unsetenv(kSegmentVariable);
  ::unsetenv(kSizeVariable);
  ::shmdt(const_cast<std::uint8_t*>(bytes_));
}

bool EdgeMap::is_written() const {
  for (std::size_t i = 0; i < kBytes; ++i) {
    if (bytes_[i] != 0) return true;
  }
  return false;
}

void EdgeMap::find_extent() {
  for (std::size_t i = kBytes; i > extent_; --i) {
    if (bytes_[i - 1] != 0) extent_ = i;
  }
}

void EdgeMap::clear() {
  for (std::size_t i = 0; i < extent_; ++i) bytes_[i] = 0;
}

std::vector<Feature> EdgeMap::take() {
  if (takes_++ % kTakesBetween == 0) find_extent();
  std::vector<Feature> edges;
  for (std::size_t i = 0; i < extent_; ++i) {
    const std::uint8_t count = bytes_[i];
    if (count == 0) continue;
    edges.push_back({static_cast<std::uint32_t>(i), count, true});
    if (!seen_[i]) {
      seen_[i] = true;
      ++seen_count_;
    }
  }
  return edges;
}

}  // namespace jrpcheck::fuzz
