#include "cli/write_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

namespace jrpcheck::cli {
namespace {

Error cannot_write(const std::string& path) {
  return Error{"the report '" + path + "' cannot be written: " + std::strerror(errno)};
}

}  // namespace

Result<bool> write_file(const std::string& path, std::string_view text) {
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

Result<bool> print_text(std::string_view text) {
  std::cout << text << std::flush;
  if (!std::cout) return Error{"standard output cannot be written to"};
  return true;
}

}  // namespace jrpcheck::cli
