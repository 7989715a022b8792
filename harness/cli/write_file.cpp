#include "cli/write_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "base/interruption.hpp"

namespace jrpcheck::cli {
namespace {

Error cannot_write(const std::string& path, int error) {
  return Error{"the file '" + path + "' cannot be written: " + std::strerror(error)};
}

// 0, or the errno of what went wrong. A pipe that nobody reads is given up at a signal that comes
// meanwhile; one that came before has this report written.
int write_all(int descriptor, std::string_view text) {
  constexpr int kNextLook = 100;  // ms
  const bool interrupted_before = is_signalled();
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  pollfd polled{descriptor, POLLOUT, 0};
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      ::poll(&polled, 1, kNextLook);
    } else if (errno != EINTR) {
      return errno;
    }
    if (!text.empty() && !interrupted_before && is_signalled()) return EINTR;
  }
  return 0;
}

// Some file systems tell only at the end that the disk is full.
int write_and_close(int descriptor, std::string_view text) {
  const int error = write_all(descriptor, text);
  const int at_the_end = ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
  return error != 0 ? error : at_the_end;
}

int write_through(const std::string& path, std::string_view text, int flags) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
  return descriptor < 0 ? errno : write_and_close(descriptor, text);
}

// A link stays one: what it leads to is replaced, or made where it is not there yet.
std::string behind_links(std::filesystem::path path) {
  constexpr int kMostLinks = 40;  // as the system has it
  std::error_code none;
  for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, none); ++i) {
    path = path.parent_path() / std::filesystem::read_symlink(path, none);
  }
  return path.string();
}

// /dev/fd/3, and what else stands for something that is open already.
bool is_descriptor(const std::string& path) {
  return path.starts_with("/dev/") || path.starts_with("/proc/");
}

// There is a file that may be written to, but none may be put beside it, or in its place: so it is
// with one that a container is given alone.
bool must_be_written_in_place(int error) {
  return error == EACCES || error == EPERM || error == EROFS || error == EBUSY || error == EXDEV;
}

// Not synced to the disk: what matters is that no reader finds half a report, not that it outlives
// a loss of power.
int replace(const std::string& path, std::string_view text, const struct stat* former) {
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  const int descriptor =
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) return errno;
  if (former != nullptr) ::fchmod(descriptor, former->st_mode & 07777);
  int error = write_and_close(descriptor, text);
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(temporary.c_str());
  return error;
}

}  // namespace

Result<bool> write_file(const std::string& path, std::string_view text) {
  struct stat former {};
  const bool exists = ::stat(path.c_str(), &former) == 0;
  int error = 0;
  if ((exists && !S_ISREG(former.st_mode)) || is_descriptor(path)) {
    error = write_through(path, text, 0);  // a device or a pipe is no file to be replaced
  } else {
    const std::string file = behind_links(path);
    error = replace(file, text, exists ? &former : nullptr);
    if (exists && must_be_written_in_place(error)) error = write_through(file, text, O_TRUNC);
  }
  if (error != 0) return cannot_write(path, error);
  return true;
}

Result<bool> make_folder(const std::string& path) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (!failed) return true;
  std::error_code unknown;
  const bool is_file = std::filesystem::exists(path, unknown);
  return Error{"the folder '" + path +
               "' cannot be made: " + (is_file ? "it is a file" : failed.message())};
}

Result<bool> make_folder_of(const std::string& option, const std::string& path) {
  if (path.empty()) return true;
  auto made = make_folder(path);
  return made ? made : Error{option + ": " + made.error().message};
}

Result<bool> append_to_file(const std::string& path, std::string_view text) {
  const int error = write_through(path, text, O_APPEND);
  if (error != 0) return cannot_write(path, error);
  return true;
}

Result<bool> print_text(std::string_view text) {
  std::cout << text << std::flush;
  if (!std::cout) return Error{"standard output cannot be written to"};
  return true;
}

}  // namespace jrpcheck::cli
