#include "cli/write_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace jrpcheck::cli {
namespace {

Error cannot_write(const std::string& path) {
  return Error{"the report '" + path + "' cannot be written: " + std::strerror(errno)};
}

}  // namespace

Result<bool> write_file(const std::string& path, std::string_view text) {
  // A device, a pipe or a link is written through: it must not be replaced by a file.
  std::error_code unknown;
  const auto type = std::filesystem::symlink_status(path, unknown).type();
  const bool replaceable =
      type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::regular;
  if (!replaceable) {
    std::ofstream through(path, std::ios::binary);
    through << text;
    through.close();
    if (!through) return cannot_write(path);
    return true;
  }
  const std::string temporary = path + ".part" + std::to_string(::getpid());
  std::ofstream out(temporary, std::ios::binary);
  if (!out) return cannot_write(path);
  out << text;
  out.close();
  if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const Error error = cannot_write(path);
    std::remove(temporary.c_str());
    return error;
  }
  return true;
}

Result<bool> append_to_file(const std::string& path, std::string_view text) {
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << text;
  out.close();
  if (!out) return cannot_write(path);
  return true;
}

Result<bool> print_text(std::string_view text) {
  std::cout << text << std::flush;
  if (!std::cout) return Error{"standard output cannot be written to"};
  return true;
}

}  // namespace jrpcheck::cli
