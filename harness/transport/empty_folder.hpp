// An empty folder for temporary files, ours or those of a server that does not open without one.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::transport {

/// It goes with all that was put there, also where this program is killed.
class EmptyFolder {
 public:
  static Result<std::shared_ptr<const EmptyFolder>> make(Guardian& guardian);
  ~EmptyFolder();
  EmptyFolder(const EmptyFolder&) = delete;
  EmptyFolder& operator=(const EmptyFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string uri() const;

 private:
  explicit EmptyFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

/// The URI of a file or folder.
std::string file_uri(const std::string& path);

}  // namespace jrpcheck::transport
