#include "reference-impl/methods.hpp"

#include <poll.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "reference-impl/error.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

constexpr int kApplicationError = 1000;
constexpr std::int64_t kLongestWaitMs = 10'000;

/// Numbers outside the 64-bit integers would wrap in integer arithmetic.
bool is_int64(const json& number) {
  return number.is_number_integer() &&
         !(number.is_number_unsigned() && number.get<std::uint64_t>() > INT64_MAX);
}

void require_number(const json& value) {
  if (!value.is_number()) throw invalid_params("a Number is expected");
}

/// JSON has no infinity, so a result that grew beyond double is no result.
json finite(double value) {
  if (!std::isfinite(value)) throw invalid_params("the result is beyond the range of a double");
  return value;
}

/// Exact while everything fits into 64-bit integers.
json plus(const json& a, const json& b) {
  require_number(b);
  std::int64_t sum = 0;
  if (is_int64(a) && is_int64(b) &&
      !__builtin_add_overflow(a.get<std::int64_t>(), b.get<std::int64_t>(), &sum)) {
    return sum;
  }
  return finite(a.get<double>() + b.get<double>());
}

json minus(const json& a, const json& b) {
  require_number(a);
  require_number(b);
  std::int64_t difference = 0;
  if (is_int64(a) && is_int64(b) &&
      !__builtin_sub_overflow(a.get<std::int64_t>(), b.get<std::int64_t>(), &difference)) {
    return difference;
  }
  return finite(a.get<double>() - b.get<double>());
}

json sum(const json& numbers) {
  if (numbers.is_object()) throw invalid_params("an Array of Numbers is expected");
  json total = 0;
  for (const json& number : numbers) total = plus(total, number);
  return total;
}

/// Answers late on purpose, so that a caller can see what happens meanwhile.
json slow(const json& arguments) {
  const json& wait = arguments[0];
  if (!is_int64(wait) || wait < 0 || wait > kLongestWaitMs) {
    throw invalid_params("milliseconds must be an integer from 0 to " +
                         std::to_string(kLongestWaitMs));
  }
  ::poll(nullptr, 0, wait.get<int>());
  return wait;
}

json fails(const json&) {
  throw RpcError(kApplicationError, "This method always fails", {{"reason", "it was asked to"}});
}

json nothing(const json&) { return nullptr; }

/// One value that outlives a call: it shows from outside whether a Notification was carried out.
class SharedValue {
 public:
  json set(const json& arguments) {
    const std::lock_guard lock(mutex_);
    value_ = arguments[0];
    return nullptr;
  }

  json get() {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  std::mutex mutex_;
  json value_;
};

}  // namespace

Dispatcher make_reference_dispatcher(Limits limits) {
  Dispatcher dispatcher(limits);
  const auto state = std::make_shared<SharedValue>();

  dispatcher.add("subtract", {"minuend", "subtrahend"},
                 [](const json& arguments) { return minus(arguments[0], arguments[1]); });
  dispatcher.add_variadic("sum", sum);
  dispatcher.add("get_data", {}, [](const json&) { return json::array({"hello", 5}); });
  dispatcher.add_variadic("update", nothing);
  dispatcher.add_variadic("notify_hello", nothing);
  dispatcher.add_variadic("notify_sum", nothing);

  dispatcher.add_variadic("echo", [](const json& params) { return params; });
  dispatcher.add("nothing", {}, nothing);
  dispatcher.add("fails", {}, fails);
  dispatcher.add("slow", {"milliseconds"}, slow);
  dispatcher.add("state-set", {"value"},
                 [state](const json& arguments) { return state->set(arguments); });
  dispatcher.add("state-get", {}, [state](const json&) { return state->get(); });
  return dispatcher;
}

}  // namespace jrpcheck::reference
