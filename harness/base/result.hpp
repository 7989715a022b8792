// Result<T>: a value, or the reason why there is none.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace jrpcheck {

/// Why something that can go wrong at run time did: one sentence that names what was wrong,
/// where, and what to do next. The behaviour of a server under test is data, never an Error.
struct Error {
  std::string message;
};

/// Either a T or an Error. Test it before taking the value; taking what is not there is a bug.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

}  // namespace jrpcheck
