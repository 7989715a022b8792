#include "transport/empty_folder.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/percent.hpp"

namespace jrpcheck::transport {
namespace {

namespace fs = std::filesystem;

}  // namespace

Result<std::shared_ptr<const EmptyFolder>> EmptyFolder::make(Guardian& guardian) {
  std::error_code failed;
  const auto folder = fs::temp_directory_path(failed);
  if (failed) return Error{"there is no folder for temporary files: " + failed.message()};
  auto path = guardian.make_folder((folder / "jrpcheck-empty-XXXXXX").string());
  if (!path) return path.error();
  return std::shared_ptr<const EmptyFolder>(new EmptyFolder(*std::move(path)));
}

EmptyFolder::~EmptyFolder() {
  std::error_code failed;
  fs::remove_all(path_, failed);
}

std::string EmptyFolder::uri() const { return file_uri(path_); }

std::string file_uri(const std::string& path) { return "file://" + percent_encoded(path, "/"); }

}  // namespace jrpcheck::transport
