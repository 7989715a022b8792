#include "transport/empty_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace jrpcheck::transport {
namespace {

namespace fs = std::filesystem;

bool is_plain_in_a_path(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

Result<std::shared_ptr<const EmptyFolder>> EmptyFolder::make(Guardian& guardian) {
  std::error_code failed;
  const auto folder = fs::temp_directory_path(failed);
  if (failed) return Error{"there is no folder for temporary files: " + failed.message()};
  std::string path = (folder / "jrpcheck-empty-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) return Error{"cannot make the folder '" + path + "'"};
  guardian.remove_at_the_end(path);
  return std::shared_ptr<const EmptyFolder>(new EmptyFolder(std::move(path)));
}

EmptyFolder::~EmptyFolder() {
  std::error_code failed;
  fs::remove_all(path_, failed);
}

std::string EmptyFolder::uri() const { return file_uri(path_); }

// RFC 3986 §2.1, §3.3.
std::string file_uri(const std::string& path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    if (is_plain_in_a_path(c)) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += {'%', kHex[byte >> 4U], kHex[byte & 0xFU]};
  }
  return uri;
}

}  // namespace jrpcheck::transport
