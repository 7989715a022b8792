#include "client/drain.hpp"

#include <cstddef>
#include <string>

namespace jrpcheck::client {
namespace {

constexpr std::size_t kMostOfTheRest = 16U << 20;

}  // namespace

std::optional<std::string> drain(transport::ByteStream& stream, microseconds most,
                                 const std::function<void(std::string_view)>& hear) {
  stream.close_write();
  const auto deadline = Deadline::firmly_in(most);
  for (std::size_t heard = 0; heard < kMostOfTheRest && !deadline.passed();) {
    std::string in;
    const auto done = stream.transfer({}, in, deadline);
    heard += in.size();
    if (!in.empty()) hear(in);
    if (done.ended) return end_told_by(done);
  }
  return std::nullopt;
}

}  // namespace jrpcheck::client
