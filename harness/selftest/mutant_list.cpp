#include "selftest/mutant_list.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/contains.hpp"
#include "base/deadline.hpp"
#include "base/names.hpp"
#include "corpus/corpus.hpp"
#include "judge/clients/rules.hpp"

namespace jrpcheck::selftest {
namespace {

// The list is printed at once; the bound is for a program of that name that is something else.
constexpr std::chrono::seconds kTimeToPrint(10);

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// "-" stands for none.
std::vector<std::string> names_in(std::string_view field) {
  return field == "-" ? std::vector<std::string>() : split(field, ',');
}

Result<Mutant> parse_line(const std::string& line, std::string_view profile) {
  const auto fields = split(line, '\t');
  const auto kind = fields.size() == 7 ? value_named<Mutant::Kind>(fields.front()) : std::nullopt;
  if (!kind) {
    return Error{
        "the list of mutants has a line that reads '" + line +
        "'; kind, name, requirements, those that may break with them, transports, opening and a "
        "sentence are expected"};
  }
  Mutant mutant;
  mutant.kind = *kind;
  mutant.name = fields[1];
  mutant.profile = profile;
  mutant.requirements = names_in(fields[2]);
  mutant.consequences = names_in(fields[3]);
  mutant.transports = names_in(fields[4]);
  if (fields[5] != "-") mutant.opening = fields[5];
  mutant.about = fields[6];
  return mutant;
}

// Starts the program with its standard output on `writing`; the errno of a failure.
int spawn(std::vector<std::string> words, int writing, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, writing, STDOUT_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error =
      ::posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Whether the end of the output was reached in time.
bool read_to_end(int reading, std::string& text) {
  const auto deadline = Deadline::in(kTimeToPrint);
  for (;;) {
    pollfd waiting{reading, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, deadline.remaining_ms());
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    std::array<char, 65536> buffer{};
    const auto count = ::read(reading, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

// Whether the process ended with exit code 0.
bool succeeded(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// What the program prints, which takes no time.
Result<std::string> output_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return Error{std::string("cannot make a pipe: ") + std::strerror(errno)};
  }
  pid_t process = 0;
  const int error = spawn(words, ends[1], process);
  ::close(ends[1]);
  std::string text;
  const bool complete = error == 0 && read_to_end(ends[0], text);
  ::close(ends[0]);
  if (error != 0) {
    return Error{"cannot start '" + words.front() +
                 "', which knows the faults: " + std::strerror(error) +
                 "; it stands beside this program where scripts/build has built it"};
  }
  if (!complete) ::kill(process, SIGKILL);
  if (!succeeded(process) || !complete) {
    return Error{"'" + words.front() + " --list' did not print the list of faults"};
  }
  return text;
}

Result<bool> add_mutants(const Result<std::string>& text, std::string_view profile,
                         std::vector<Mutant>& all) {
  if (!text) return text.error();
  auto mutants = parse_mutants(*text, profile);
  if (!mutants) return mutants.error();
  std::move(mutants->begin(), mutants->end(), std::back_inserter(all));
  return true;
}

}  // namespace

std::string_view name_of(Mutant::Kind kind) {
  return name_at({"fault", "deep", "variant", "refusal"}, kind);
}

std::string reference_program_beside_this_one() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / "jrpcheck-reference").string();
}

std::optional<std::vector<std::string>> words_to_speak(const corpus::Profile& profile) {
  using Words = std::vector<std::string>;
  if (profile.name == corpus::kDefaultProfile) return Words{};
  if (profile.dialect == corpus::Dialect::json_rpc_1_0 && profile.schemas.empty())
    return Words{"--dialect", "1.0"};
  const bool is_to_be_named = !profile.versions.empty() && profile.version.empty();
  if (profile.schemas.empty() || is_to_be_named) return std::nullopt;
  Words words = {"--" + profile.family};
  if (!profile.version.empty()) words.push_back(profile.version);
  return words;
}

bool has_client(const corpus::Profile& profile) {
  return judge::ClientRules::knows(profile.family);
}

Result<std::vector<Mutant>> parse_mutants(std::string_view text, std::string_view profile) {
  std::vector<Mutant> mutants;
  for (const auto& line : split(text, '\n')) {
    auto mutant = parse_line(line, profile);
    if (!mutant) return mutant.error();
    mutants.push_back(*std::move(mutant));
  }
  if (mutants.empty()) return Error{"the list of mutants is empty"};
  return mutants;
}

Result<std::vector<Mutant>> read_mutants(const std::string& reference_program) {
  std::vector<Mutant> all;
  auto profiles = corpus::embedded_profiles();
  std::stable_partition(profiles.begin(), profiles.end(), [](const corpus::Profile& each) {
    return each.name == corpus::kDefaultProfile;
  });
  for (const auto& profile : profiles) {
    const auto own = words_to_speak(profile);
    if (!own) continue;
    std::vector<std::string> words = {reference_program, "--list"};
    words.insert(words.end(), own->begin(), own->end());
    if (auto ok = add_mutants(output_of(words), profile.name, all); !ok) return ok.error();
  }
  const std::vector<std::string> of_client = {reference_program, "--client", "--list"};
  if (auto ok = add_mutants(output_of(of_client), corpus::kDefaultProfile, all); !ok) {
    return ok.error();
  }
  for (const auto& profile : profiles) {
    const auto own = words_to_speak(profile);
    if (!has_client(profile) || !own) continue;
    auto words = of_client;
    words.insert(words.end(), own->begin(), own->end());
    const auto text = output_of(words);
    if (text && text->empty()) continue;  // there is no client of that version
    if (auto ok = add_mutants(text, profile.name, all); !ok) return ok.error();
  }
  return all;
}

}  // namespace jrpcheck::selftest
