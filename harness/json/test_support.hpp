// What the tests of this layer share: values to work on and a stack too small for recursion.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "json/parse.hpp"
#include "json/value.hpp"

namespace jrpcheck::json {

/// The value of a text that must be JSON.
inline Value parsed(std::string_view text) {
  ParseResult result = parse(text, {.max_values = 10'000'000});
  EXPECT_TRUE(result) << text.substr(0, 200) << ": " << result.error.message;
  return result ? std::move(*result.value) : Value();
}

inline constexpr std::size_t kDeep = 1'000'000;

/// Arrays in arrays (or objects in objects, under the name "a"), `depth` of them around `core`.
inline std::string nested_text(std::string_view open, std::string_view core, std::string_view close,
                               std::size_t depth = kDeep) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += core;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

/// Runs `work` to its end on a stack of 256 KiB, where a call per level of a deep tree would crash.
inline void run_on_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
  const auto call = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// A value made from any bytes whatever: each byte decides what is appended where. RapidCheck can
/// make and shrink bytes; values it could not copy.
inline Value value_from(const std::vector<std::uint8_t>& decisions) {
  const std::vector<std::string> texts = {"",
                                          "a",
                                          "id",
                                          "\"\\/\b\f\n\r\t",
                                          std::string("\0\x01\x1F\x7F", 4),
                                          "\xC3\xA9",
                                          "\xED\xA0\xBD"
                                          "x",
                                          "\xED\xB0\x80\xED\xA0\x80",
                                          "\xE2\x82\xAC",
                                          "\xF0\x9F\x98\x80"};
  const std::vector<std::string> numbers = {"0",
                                            "-0",
                                            "1",
                                            "1.0",
                                            "10e-1",
                                            "-12.50E+3",
                                            "1e400",
                                            "9007199254740993",
                                            "1e99999999999999999999"};
  std::vector<Value> open;
  open.push_back(Value::array());
  const auto add = [&](Value value, std::uint8_t decision) {
    if (open.back().is(Kind::array)) {
      open.back().append(std::move(value));
    } else {
      open.back().append(texts[decision / 8 % texts.size()], std::move(value));
    }
  };
  const auto close = [&](std::uint8_t decision) {
    Value last = std::move(open.back());
    open.pop_back();
    add(std::move(last), decision);
  };
  for (const std::uint8_t decision : decisions) {
    switch (decision % 8) {
      case 0:
        open.push_back(Value::array());
        break;
      case 1:
      case 2:
        open.push_back(Value::object());
        break;
      case 3:
        if (open.size() > 1) close(decision);
        break;
      case 4:
        add(Value::null(), decision);
        break;
      case 5:
        add(Value::boolean(decision & 8), decision);
        break;
      case 6:
        add(Value::number(numbers[decision / 8 % numbers.size()]), decision);
        break;
      default:
        add(Value::string(texts[decision / 8 % texts.size()]), decision);
    }
  }
  while (open.size() > 1) close(0);
  return std::move(open.back());
}

}  // namespace jrpcheck::json
