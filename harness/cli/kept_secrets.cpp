#include "cli/kept_secrets.hpp"

#include <unistd.h>

#include <iterator>
#include <mutex>
#include <utility>

#include "base/contains.hpp"

namespace jrpcheck::cli {
namespace {

// A server may set a new cookie each time.
constexpr std::size_t kMostKept = 500;

struct Kept {
  std::mutex mutex;  // guards what follows
  std::vector<result::Secret> secrets;
};

Kept& all_kept() {
  static Kept all;
  return all;
}

}  // namespace

std::vector<result::Secret> secrets_of_own_environment() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string word(*each);
    const auto equals = word.find('=');
    if (equals != std::string::npos)
      variables.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  return result::secrets_of_environment(variables);
}

std::vector<result::Secret> secrets_of(const run::Options& options) {
  std::vector<result::Secret> secrets;
  const auto add = [&secrets](std::vector<result::Secret> more) {
    secrets.insert(secrets.end(), std::make_move_iterator(more.begin()),
                   std::make_move_iterator(more.end()));
  };
  for (const auto& [name, value] : options.headers) add(result::secrets_of_header(name, value));
  if (options.target) {
    add(result::secrets_of_header("Authorization", options.target->authorization));
    add(result::secrets_of_url(options.target_text));
  }
  if (options.command.empty()) return secrets;
  add(result::secrets_of_command(options.command));
  add(secrets_of_own_environment());
  return secrets;
}

void keep_secret(const std::vector<result::Secret>& secrets) {
  Kept& all = all_kept();
  const std::scoped_lock lock(all.mutex);
  for (const auto& each : secrets) {
    if (all.secrets.size() < kMostKept && !contains(all.secrets, each)) {
      all.secrets.push_back(each);
    }
  }
}

std::vector<result::Secret> kept_secrets() {
  Kept& all = all_kept();
  const std::scoped_lock lock(all.mutex);
  return all.secrets;
}

std::string without_secrets(const std::string& text) {
  return result::redacted(text, kept_secrets());
}

result::RedactedRun without_secrets(result::Run run) { return {std::move(run), kept_secrets()}; }

}  // namespace jrpcheck::cli
