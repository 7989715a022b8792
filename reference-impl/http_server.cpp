#include "reference-impl/http_server.hpp"

#include "reference-impl/http_connection.hpp"

namespace jrpcheck::reference {

Result<HttpServer> HttpServer::listen(std::uint16_t port) {
  auto sockets = SocketServer::on_port(port);
  if (!sockets) return sockets.error();
  return HttpServer(*std::move(sockets));
}

std::string HttpServer::url() const { return "http://127.0.0.1:" + std::to_string(port()) + "/"; }

void HttpServer::serve(const Handler& handler, const TransportHooks& hooks) {
  sockets_.serve([&](int socket) { serve_http_connection(handler, socket, hooks); });
}

}  // namespace jrpcheck::reference
