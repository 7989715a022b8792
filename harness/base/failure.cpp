#include "base/failure.hpp"

#include <cerrno>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

namespace jrpcheck {
namespace {

constexpr std::size_t kMostText = 400;

}  // namespace

std::string failure_of(const std::function<void()>& work) {
  std::string failure;
  failure.reserve(kMostText);  // where there is no more memory, none is needed to say so
  const auto say = [&failure](std::string_view text) {
    failure.append(text.substr(0, kMostText - failure.size()));
  };
  try {
    work();
  } catch (const std::bad_alloc&) {
    say("jrpcheck has run out of memory");
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

}  // namespace jrpcheck
