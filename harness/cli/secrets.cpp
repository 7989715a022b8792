#include "cli/secrets.hpp"

#include <unistd.h>

#include <iterator>
#include <string>
#include <utility>

namespace jrpcheck::cli {

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
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string word(*each);
    const auto equals = word.find('=');
    if (equals != std::string::npos)
      variables.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  add(result::secrets_of_environment(variables));
  return secrets;
}

}  // namespace jrpcheck::cli
