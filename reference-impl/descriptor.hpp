// File descriptors: owned, read and written without the corners of read(2) and write(2).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace jrpcheck::reference {

/// Owns a file descriptor and closes it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_ = -1;
};

/// Waits for bytes and reads some; 0 when there will be no more.
std::size_t read_some(int descriptor, std::span<char> buffer);

/// Writes all of `bytes`, however many writes that takes; false when nobody will read them.
bool write_all(int descriptor, std::string_view bytes);

}  // namespace jrpcheck::reference
