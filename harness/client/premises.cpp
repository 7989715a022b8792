#include "client/premises.hpp"

#include <fstream>

namespace jrpcheck::client {

Result<std::unique_ptr<Premises>> Premises::for_door(const Door& door,
                                                     transport::Guardian& guardian) {
  std::unique_ptr<Premises> made(new Premises);
  if (!door.is_secure && !door.is_stdio()) return made;
  auto folder = transport::EmptyFolder::make(guardian);
  if (!folder) return folder.error();
  made->folder_ = *std::move(folder);
  if (!door.is_secure) return made;
  auto acceptor = transport::TlsAcceptor::for_this_machine();
  if (!acceptor) return acceptor.error();
  made->acceptor_ = *std::move(acceptor);
  std::ofstream file(made->authority_file());
  file << made->acceptor_->authority();
  if (!file.flush()) return Error{"cannot write " + made->authority_file()};
  return made;
}

}  // namespace jrpcheck::client
