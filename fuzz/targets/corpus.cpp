// The corpus loader: case files, and behind a first line `#ledger`, `#profile` or `#scenarios` the
// other files.
#include <string>

#include "corpus/bindings.hpp"
#include "corpus/ledger.hpp"
#include "corpus/lint_files.hpp"
#include "corpus/load_case.hpp"
#include "corpus/profile.hpp"
#include "corpus/scenario.hpp"
#include "fuzz/targets/promise.hpp"

using namespace jrpcheck;
using corpus::Case;

namespace {

constexpr std::string_view kLedger = R"({"requirements": [{"id": "err-code-method",
  "clause": "5.1", "level": "must", "class": "core", "text": "T.", "why": "W."}]})";

void check_error(const Error& error, std::string_view name) {
  fuzz::promise(error.message.find(name) != std::string::npos, "an error names the file",
                error.message);
}

void check_case(const Case& one) {
  const auto again = corpus::load_case(one.file, one.source);
  fuzz::promise(static_cast<bool>(again), "a case can be loaded from its own source", one.source);
  fuzz::promise(again->source == one.source && again->steps.size() == one.steps.size(),
                "a case loaded from its own source is the same", one.source);
  if (!corpus::check_placeholders(one)) return;
  corpus::Bindings bindings;
  bindings.string_id = "string-id";
  bindings.unknown_method = "unknown";
  for (const auto& role : one.roles) bindings.roles[role] = role;
  const auto bound = corpus::bind(one, bindings);
  fuzz::promise(static_cast<bool>(bound), "a case whose placeholders are right can be bound",
                bound ? "" : bound.error().message);
}

void load_cases(std::string_view text) {
  const std::string name = "fuzzed.json";
  const auto cases = corpus::load_cases(name, text);
  if (cases) {
    for (const Case& one : *cases) check_case(one);
  } else {
    check_error(cases.error(), name);
  }
  const auto problems = corpus::lint_files(
      {{std::string(corpus::kLedgerPath), std::string(kLedger)}}, {{name, std::string(text)}}, {});
  fuzz::promise(cases || !problems.empty(), "what cannot be loaded is a problem to the linter",
                text);
  for (const auto& problem : problems) {
    fuzz::promise(!problem.message.empty(), "a problem says what is wrong", problem.text());
  }
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::text_of(bytes, size);
  if (take_prefix(text, "#ledger\n")) {
    const auto ledger = corpus::Ledger::load("fuzzed.json", text);
    if (!ledger) check_error(ledger.error(), "fuzzed.json");
  } else if (take_prefix(text, "#profile\n")) {
    const auto profile = corpus::load_profile("fuzzed.json", text);
    if (!profile) check_error(profile.error(), "fuzzed.json");
  } else if (take_prefix(text, "#scenarios\n")) {
    static const auto ledger = corpus::Ledger::load(std::string(corpus::kLedgerPath), kLedger);
    const auto scenarios = corpus::load_scenarios("fuzzed.json", text, *ledger);
    if (!scenarios) check_error(scenarios.error(), "fuzzed.json");
  } else {
    load_cases(text);
  }
  return 0;
}
