#include "run/endpoint.hpp"

namespace jrpcheck::run {

std::unique_ptr<Endpoint> make_endpoint(const Options& options, session::Patience& patience,
                                        transport::Guardian& guardian) {
  return options.target ? make_http_endpoint(options, patience, guardian)
                        : make_stdio_endpoint(options, patience, guardian);
}

}  // namespace jrpcheck::run
