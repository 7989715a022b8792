// One case, from its file to its result.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "corpus/bindings.hpp"
#include "corpus/corpus.hpp"
#include "judge/judge.hpp"
#include "result/run.hpp"
#include "run/endpoint.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// A case that ran, and what its running says about the run.
struct CaseRun {
  result::CaseResult result;
  std::vector<dialogue::Exchange> exchanges;
  dialogue::Survival survival = dialogue::Survival::unasked;
  bool answered_late = false;  ///< what was waited for in vain came right after
  bool disturbed = false;  ///< the server was started anew meanwhile: another case may be the cause
};

/// The placeholders of the case that stands at `ordinal` in the corpus: the same in every run with
/// the same seed, whatever ran before or beside it.
corpus::Bindings bindings_for(std::size_t ordinal, unsigned long long seed,
                              const corpus::RoleBindings& roles);

/// The ordinal of the case that sent this id, as a Number or as the String of its bindings.
std::optional<std::size_t> ordinal_of_id(const json::Value& id);

class CaseRunner {
 public:
  CaseRunner(const corpus::Corpus& corpus, const Endpoint& endpoint, unsigned long long seed)
      : corpus_(corpus), endpoint_(endpoint), seed_(seed) {}

  void use(corpus::RoleBindings roles, judge::Context context) {
    roles_ = std::move(roles);
    context_ = std::move(context);
  }

  /// Runs the corpus's case at `ordinal` on an open conversation.
  CaseRun run(std::size_t ordinal, session::Conversation& conversation) const;

 private:
  const corpus::Corpus& corpus_;
  const Endpoint& endpoint_;
  unsigned long long seed_;
  corpus::RoleBindings roles_;
  judge::Context context_;
};

/// The result of a case that did not run.
result::CaseResult not_exercised(const corpus::Case& one, std::string reason);

}  // namespace jrpcheck::run
