// The passage of HTTP, and how requests go on to another host.
#pragma once

#include <memory>

#include "client/passage.hpp"

namespace jrpcheck::client {

/// The fields with which a request goes on: to another host, and so that the answer can be read.
wire::HttpFields fields_onward(const wire::HttpMessage& request, const Destination& destination);

std::unique_ptr<Passage> make_http_passage(const Destination& destination);

}  // namespace jrpcheck::client
