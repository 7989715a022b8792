// The faults and variants of the reference server, as jrpcheck-reference --list tells them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/contains.hpp"
#include "base/result.hpp"
#include "corpus/profile.hpp"

namespace jrpcheck::selftest {

/// "client-http": the reference client is tried there, and not the server.
inline constexpr std::string_view kClientTransport = "client-";
inline bool is_client_transport(std::string_view name) {
  return name.starts_with(kClientTransport);
}

/// One way in which the reference server can be told to be unlike itself.
struct Mutant {
  enum class Kind {
    fault,    ///< breaks a rule: some case must notice
    deep,     ///< breaks a rule, but only in a combination that no case holds: left to fuzzing
    variant,  ///< odd in a way that no rule forbids: no case may fail it
    refusal,  ///< lets nobody in: there is no run, and the reason is told
  };

  Kind kind = Kind::fault;
  std::string name;
  std::vector<std::string> requirements;  ///< each of them must be charged; empty for a variant
  /// Requirements that break with them and may be charged as well; * stands for any text.
  std::vector<std::string> consequences;
  /// It shows wherever it happens to: no case in particular can claim it.
  bool strikes_anywhere() const { return contains(consequences, "*"); }
  std::string profile = std::string(corpus::kDefaultProfile);  ///< by whose law it is judged
  std::vector<std::string> transports;                         ///< where it shows
  std::string opening;  ///< the handshake without which it does not show; empty: none
  std::string about;    ///< one sentence

  bool is_of_client() const {
    return !transports.empty() && is_client_transport(transports.front());
  }
};

std::string_view name_of(Mutant::Kind kind);

/// Where `jrpcheck-reference` is looked for: in the folder of the running program. The two programs
/// share no code of JSON-RPC, so that this list is the only thing that one knows of the other.
std::string reference_program_beside_this_one();

/// Runs that program with --list, once for each profile that it speaks. An Error when it is not
/// there, fails, or prints something else.
Result<std::vector<Mutant>> read_mutants(const std::string& reference_program);

/// The same from the text that it printed for one profile: a line each, with tabs between kind,
/// name, requirements, consequences, transports, opening and sentence.
Result<std::vector<Mutant>> parse_mutants(std::string_view text,
                                          std::string_view profile = corpus::kDefaultProfile);

/// The words that make the server speak as the profile has it: "--mcp 2025-06-18". Nothing where it
/// does not: a profile of which a version is to be named, or that has no law of its own.
std::optional<std::vector<std::string>> words_to_speak(const corpus::Profile& profile);
/// Whether there is a reference client of that protocol on top, with mutants of its own.
bool has_client(const corpus::Profile& profile);

}  // namespace jrpcheck::selftest
