#include "traffic/event_stream.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::traffic {

std::vector<std::string> data_of_events(std::string_view body) {
  std::vector<std::string> events;
  std::string data;
  bool has_data = false;
  while (!body.empty()) {
    const auto end = std::min(body.find('\n'), body.size());
    auto line = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) {
      if (has_data && !data.empty()) events.push_back(std::exchange(data, {}));
      data.clear();
      has_data = false;
    } else if (line.starts_with("data:")) {
      line.remove_prefix(line.starts_with("data: ") ? 6 : 5);
      if (has_data) data += '\n';
      data += line;
      has_data = true;
    }
  }
  return events;
}

}  // namespace jrpcheck::traffic
