#include "base/failure.hpp"

#include <cerrno>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

namespace jrpcheck {
namespace {

constexpr std::size_t kMostText = 400;
// More than a run takes in which nothing was judged, and the largest report on it.
constexpr std::size_t kForReport = 12U << 20;

}  // namespace

std::string failure_of(const std::function<void()>& work) {
  std::string failure;
  const auto say = [&failure](std::string_view text) {
    failure.append(text.substr(0, kMostText - failure.size()));
  };
  try {
    failure.reserve(kMostText);  // where there is no more memory, none is needed to say so
    work();
  } catch (const std::bad_alloc&) {
    // The short text needs none in any case.
    say(failure.capacity() < kMostText ? "out of memory" : "jrpcheck has run out of memory");
  } catch (const std::system_error& error) {
    say("jrpcheck cannot go on: ");
    say(error.what());
    // As of std::thread.
    if (error.code().value() == EAGAIN) say(": no more processes or threads are to be had");
  } catch (const std::exception& error) {
    say("jrpcheck cannot go on: ");
    say(error.what());
  }
  return failure;
}

std::string failure_of_command(const std::function<void()>& work) {
  std::string kept;  // nothing is written to it: it takes addresses, and no memory
  std::string failure = failure_of([&kept] { kept.reserve(kForReport); });
  return failure.empty() ? failure_of(work) : failure;
}

}  // namespace jrpcheck
