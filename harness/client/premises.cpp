#include "client/premises.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace jrpcheck::client {

Result<std::unique_ptr<Premises>> Premises::for_door(const Door& door) {
  std::unique_ptr<Premises> made(new Premises);
  if (!door.is_secure && !door.is_stdio()) return made;
  std::error_code error;
  const auto temporary = std::filesystem::temp_directory_path(error);
  if (error) return Error{"there is no folder for temporary files: " + error.message()};
  std::string folder = temporary / "jrpcheck-client-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) {
    return Error{"cannot make a folder like " + folder + ": " + std::strerror(errno)};
  }
  made->folder_ = folder;
  if (!door.is_secure) return made;
  auto acceptor = transport::TlsAcceptor::for_this_machine();
  if (!acceptor) return acceptor.error();
  made->acceptor_ = *std::move(acceptor);
  std::ofstream file(made->authority_file());
  file << made->acceptor_->authority();
  if (!file.flush()) return Error{"cannot write " + made->authority_file()};
  return made;
}

Premises::~Premises() {
  std::error_code error;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
}

}  // namespace jrpcheck::client
