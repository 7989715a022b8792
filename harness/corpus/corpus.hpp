// The corpus: the ledger and all cases, embedded in the program or read from a folder.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "corpus/ledger.hpp"
#include "corpus/profile.hpp"
#include "corpus/scenario.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::corpus {

/// The files of the corpus that hold no cases, by their path below cases/.
inline constexpr std::string_view kLedgerPath = "ledger.json";
inline constexpr std::string_view kProfilesPath = "profiles/";  ///< a folder

/// What a file below profiles/ is: NAME.json and NAME/profile.json are profiles; beside the second
/// stand NAME/ledger.json, NAME/schemas/*.json, and cases in what else there is.
enum class ProfileFile { profile, ledger, schema, cases };
ProfileFile kind_of_profile_file(std::string_view path);
inline constexpr std::string_view kReleasedIdsPath = "released-ids.txt";

/// A file of the corpus by its path below cases/.
struct CorpusFile {
  std::string path;
  std::string text;
};

struct Corpus {
  Ledger ledger;
  std::vector<Case> cases;
  std::string hash;  ///< of all files' texts: two runs with the same hash asked the same questions
  std::vector<Profile> profiles;    ///< all that there are
  std::vector<Scenario> scenarios;  ///< for clients
  Profile profile;                  ///< the one whose cases these are; without classes: every class
  std::map<std::string, std::string> schemas = {};  ///< JSON Schemas of messages, by their path
  /// One of the protocol's messages that the user brings, as text; empty: none.
  std::string published_schema = {};

  const Case* find(std::string_view id) const;

  /// Whether a case is of the corpus that all protocols of JSON-RPC 2.0 share.
  bool is_common(const Case& one) const;
  bool is_common(const Requirement& requirement) const;

  /// Whether a case is one for servers on this binding: it names the binding or none, and its first
  /// requirement is of a class that has its place there. That a program ends by itself is seen only
  /// where each connection has one of its own.
  bool applies(const Case& one, const wire::Binding& binding) const;
};

/// The files that were built into the program.
std::vector<CorpusFile> embedded_files();

/// The profiles among them, read once.
const std::vector<Profile>& embedded_profiles();

/// The files below a folder: every *.json but the schema, vectors (*.io, and *.js that hold some),
/// and the list of released ids. The ledger may be missing. Or one file of vectors.
Result<std::vector<CorpusFile>> read_folder(const std::string& folder);

/// Puts files together: each case id once, every requirement known, every case derived from one
/// that exists. Files of `added` take the place of those of `base` that have the same path.
Result<Corpus> assemble(const std::vector<CorpusFile>& base, const std::vector<CorpusFile>& added);

/// Leaves the corpus with the cases of one profile: those whose first requirement is of one of its
/// classes, or of a class that no profile knows. Where the profile is a version of its protocol,
/// cases and requirements of other versions go as well. Common cases accept the codes that the
/// profile allows in the place of theirs. The error names the profiles that there are.
Result<Corpus> with_profile(Corpus corpus, std::string_view name);

/// Which cases a user wants.
struct Selection {
  std::vector<std::string> select;  ///< patterns of case or requirement ids; empty: all
  std::vector<std::string> skip;

  bool includes(const Case& one) const;
  bool skips(const Case& one) const;
};

/// An Error that names the first pattern that matches no case and no requirement of any case.
Result<bool> check_selection(const Selection& selection, const std::vector<Case>& cases);

/// Whether `text` matches `pattern`, in which * stands for any text and ? for any one character.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace jrpcheck::corpus
