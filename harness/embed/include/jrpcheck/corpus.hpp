// The corpus of jrpcheck as data: what is sent to a JSON-RPC server, and what is required of it.
//
//   for (const auto& each : jrpcheck::embed::cases()) std::cout << each.id << '\n';
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck::embed {

/// The profile that is meant where none is named; `jrpcheck list profiles` knows the others.
inline constexpr std::string_view kDefaultProfile = "jsonrpc-2.0";

/// One thing that is sent, and what may come back.
struct CaseInfo {
  std::string id;                         ///< stable for ever: "batch/empty"
  std::string title;                      ///< what a conforming server does
  std::vector<std::string> requirements;  ///< the first is its subject
  bool for_handlers = false;  ///< it can be put to a function; else it is about a transport
  std::string json;           ///< the case itself, in the format of the corpus
};

struct RequirementInfo {
  std::string id;      ///< stable for ever: "res-id-echo"
  std::string clause;  ///< "JSON-RPC 2.0 §5"; empty where no document says it
  std::string level;   ///< must, should or info
  std::string class_name;
  std::string text;
  std::string why;  ///< what breaks for a client where it is violated
};

/// A file of the corpus by its path: "core/batch.json", "ledger.json".
struct CorpusFile {
  std::string path;
  std::string text;
};

/// The cases of a profile, in the order of the corpus. Throws std::invalid_argument where there is
/// no such profile.
std::vector<CaseInfo> cases(std::string_view profile = kDefaultProfile);

std::vector<RequirementInfo> requirements();

/// The files that all this is read from, as they are.
std::vector<CorpusFile> corpus_files();

}  // namespace jrpcheck::embed
