#include "corpus/read_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace jrpcheck::corpus {
namespace {

constexpr std::size_t kMostBytes = 256U << 20;

}  // namespace

Result<std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  const auto why = [] { return Error{std::string("cannot be read: ") + std::strerror(errno)}; };
  if (file == nullptr && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) {
    throw std::system_error(errno, std::generic_category(), "cannot read '" + path + "'");
  }
  if (file == nullptr) return why();
  std::string text;
  std::array<char, 64U << 10> part;
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), file.get())) {
    text.append(part.data(), count);
    if (text.size() > kMostBytes) return Error{"cannot be read: it is larger than 256 MiB"};
  }
  if (std::ferror(file.get()) != 0) return why();  // of a folder: Is a directory
  return text;
}

}  // namespace jrpcheck::corpus
