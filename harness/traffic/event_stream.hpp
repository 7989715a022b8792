// The data of the events of a whole event stream (HTML, "Server-sent events").
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck::traffic {

std::vector<std::string> data_of_events(std::string_view body);

}  // namespace jrpcheck::traffic
