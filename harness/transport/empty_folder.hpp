// An empty folder for a server that does not open without one.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::transport {

/// A folder for temporary files, which goes with all that a server has put there.
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
