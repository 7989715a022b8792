#include "cli/shard_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace jrpcheck::cli {
namespace {

constexpr long long kMostShards = 10'000;
constexpr const char* kIndexVariable = "TEST_SHARD_INDEX";
constexpr const char* kCountVariable = "TEST_TOTAL_SHARDS";

Result<std::optional<long long>> number_in(const char* variable) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::optional<long long>();
  const std::string_view word(text);
  long long number = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != word.data() + word.size()) {
    return Error{std::string(variable) + " is '" + std::string(word) + "', which is no number"};
  }
  return std::optional(number);
}

Result<std::optional<result::Shard>> shard_of(const ShardWords& words, const std::string& index,
                                              const std::string& count) {
  if (!words.index && !words.count) return std::optional<result::Shard>();
  if (!words.index || !words.count) {
    return Error{(words.index ? index + " needs " + count : count + " needs " + index) +
                 " beside it: which shard of how many, counted from 0"};
  }
  if (*words.count < 1 || *words.count > kMostShards) {
    return Error{count + " takes a number from 1 to " + std::to_string(kMostShards)};
  }
  if (*words.index < 0 || *words.index >= *words.count) {
    return Error{index + " is " + std::to_string(*words.index) + ", and of " +
                 std::to_string(*words.count) + " shards the first is 0 and the last " +
                 std::to_string(*words.count - 1)};
  }
  if (*words.count == 1) return std::optional<result::Shard>();
  return std::optional(result::Shard{static_cast<std::size_t>(*words.index),
                                     static_cast<std::size_t>(*words.count)});
}

}  // namespace

void declare_shard(CLI::App& app, ShardWords& words) {
  app.add_option("--shard-index", words.index,
                 "run only one part of the cases: its number, from 0; also TEST_SHARD_INDEX")
      ->type_name("I");
  app.add_option("--shard-count", words.count,
                 "number of parts that the cases are split into; also TEST_TOTAL_SHARDS")
      ->type_name("N");
}

Result<std::optional<result::Shard>> interpret_shard(const ShardWords& words) {
  if (words.index || words.count) return shard_of(words, "--shard-index", "--shard-count");
  const auto index = number_in(kIndexVariable);
  if (!index) return index.error();
  const auto count = number_in(kCountVariable);
  if (!count) return count.error();
  auto shard = shard_of({*index, *count}, kIndexVariable, kCountVariable);
  const char* status = std::getenv("TEST_SHARD_STATUS_FILE");
  if (shard && *count && status != nullptr && *status != '\0') {
    const std::ofstream touched(status, std::ios::app);
  }
  return shard;
}

}  // namespace jrpcheck::cli
