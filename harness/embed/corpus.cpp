#include <jrpcheck/corpus.hpp>

#include "corpus/corpus.hpp"
#include "embed/handler_cases.hpp"

namespace jrpcheck::embed {

std::vector<CaseInfo> cases(std::string_view profile) {
  std::vector<CaseInfo> all;
  for (const auto& one : built_in_corpus(profile).cases) {
    all.push_back({one.id, one.title, one.requirements, is_for_handlers(one), one.source});
  }
  return all;
}

std::vector<RequirementInfo> requirements() {
  std::vector<RequirementInfo> all;
  const auto& corpus = built_in_corpus(kDefaultProfile);
  for (const auto& each : corpus.ledger.requirements()) {
    all.push_back({each.id, each.cited_clause(), std::string(corpus::name_of(each.level)),
                   each.class_name, each.text, each.why});
  }
  return all;
}

std::vector<CorpusFile> corpus_files() {
  std::vector<CorpusFile> files;
  for (auto& file : corpus::embedded_files()) {
    files.push_back({std::move(file.path), std::move(file.text)});
  }
  return files;
}

}  // namespace jrpcheck::embed
