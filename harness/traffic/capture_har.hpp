// HAR 1.2: what a browser or a proxy has recorded of HTTP, and of WebSocket in a member of its own.
#pragma once

#include <optional>

#include "traffic/capture.hpp"

namespace jrpcheck::traffic {

/// Nothing where the file is no HAR. Its text is held in memory, up to 128 MiB, and little beside.
std::optional<Result<Capture>> read_har(std::istream& file, const std::string& name,
                                        const std::function<void(const Capture&)>& begin,
                                        const Sink& sink, const HeadSink& heads,
                                        const FramingSink& framings);

}  // namespace jrpcheck::traffic
