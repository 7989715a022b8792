// Work spread over threads.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace jrpcheck::transport {

/// Does `work` on so many threads, this one among them, or on fewer where no more are to be had.
/// Says the first failure.
std::string work_together(std::size_t workers, const std::function<void()>& work);

}  // namespace jrpcheck::transport
