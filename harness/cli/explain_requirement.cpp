#include <algorithm>

#include "base/contains.hpp"
#include "base/names.hpp"
#include "cli/explain.hpp"
#include "cli/text_layout.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"
#include "judge/protocol.hpp"
#include "judge/rules/law.hpp"
#include "reports/citation.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::cli {
namespace {

using corpus::Requirement;

std::string meaning_of(corpus::Level level) {
  return std::string(
      name_at({"must: a violation fails", "should: a violation warns, and fails under --strict",
               "info: what the server does is recorded, never counted"},
              level));
}

std::string source_of(const Requirement& requirement) {
  std::string clause = requirement.cited_clause();
  if (clause.empty()) return "no document says it; whoever runs a server depends on it";
  if (clause == "draft") return "the drafts of JSON-RPC over HTTP, which are no standard";
  if (clause == "1.0 spec") return "JSON-RPC 1.0";
  if (clause == "mcp transports") return "Model Context Protocol, transports";
  return clause;
}

std::string why_untested(const Requirement& requirement) {
  if (!requirement.status.empty()) return "none, " + requirement.status;
  return "no case: jrpcheck run does not exercise it";
}

// Whether a protocol's schemas or rules, which every message is held against, charge it.
bool is_charged_by_law(const Requirement& requirement, const corpus::Corpus& corpus) {
  return std::ranges::any_of(corpus.profiles, [&](const auto& profile) {
    if (!profile.has_class(requirement.class_name)) return false;
    const auto law = judge::law_of(profile, corpus.schemas);
    return law && judge::requirements_of(**law).count(requirement.id) != 0;
  });
}

std::string run_command_of(const Requirement& requirement, const corpus::Corpus& corpus,
                           const std::string& cases) {
  return "jrpcheck run " + cases + profile_option(corpus, requirement.class_name) + "--select " +
         requirement.id;
}

// Whether there is a case to run.
bool add_cases(const Requirement& requirement, const corpus::Corpus& corpus,
               const std::string& cases, TextLayout& page) {
  std::size_t width = 0;
  std::size_t count = 0;
  for (const auto& one : corpus.cases) {
    if (!contains(one.requirements, requirement.id)) continue;
    width = std::max(width, one.id.size());
    ++count;
  }
  const bool on_every_reply = judge::is_envelope_requirement(requirement.id);
  const bool by_law = !on_every_reply && is_charged_by_law(requirement, corpus);
  if (on_every_reply) page.entry("Tested by", "every reply of every case");
  if (by_law) page.entry("Tested by", "every message of the server, by a schema or a rule");
  if (count == 0 && !on_every_reply && !by_law) {
    page.entry("Tested by", why_untested(requirement));
  }
  bool first = !on_every_reply && !by_law;
  for (const auto& one : corpus.cases) {
    if (!contains(one.requirements, requirement.id)) continue;
    std::string id = one.id;
    id.resize(width + 2, ' ');
    page.verbatim(first ? "Tested by" : "", id + one.title);
    first = false;
  }
  if (count == 0) return false;
  page.gap();
  page.verbatim("Try", run_command_of(requirement, corpus, cases) + " -- your-server");
  return true;
}

void add_faults(const Requirement& requirement, const corpus::Corpus& corpus,
                const std::vector<selftest::Mutant>& mutants, const std::string& cases,
                TextLayout& page) {
  const auto found = std::ranges::find_if(mutants, [&](const selftest::Mutant& each) {
    return each.kind == selftest::Mutant::Kind::fault &&
           contains(each.requirements, requirement.id) &&
           contains(each.transports, wire::default_stream_binding().name);
  });
  if (found == mutants.end()) return;
  page.verbatim("See it fail", run_command_of(requirement, corpus, cases) +
                                   " -- jrpcheck-reference --stdio --fault " + found->name);
}

}  // namespace

std::string profile_option(const corpus::Corpus& corpus, std::string_view class_name) {
  std::string option;
  for (const auto& profile : corpus.profiles) {
    if (!profile.has_class(class_name)) continue;
    if (profile.name == corpus::kDefaultProfile) return "";
    if (option.empty()) option = "--profile " + profile.name + " ";
  }
  return option;
}

void add_requirements(const std::vector<std::string>& ids, const corpus::Ledger& ledger,
                      TextLayout& page) {
  std::string_view label = "Tests";
  for (const auto& id : ids) {
    const auto* requirement = ledger.find(id);
    if (requirement == nullptr) continue;
    page.entry(label,
               id + " (" + std::string(name_of(requirement->level)) + "): " + requirement->text);
    label = "";
  }
}

std::string explain_requirement(const Requirement& requirement, const corpus::Corpus& corpus,
                                const std::vector<DialogueOfProfile>& dialogues,
                                const std::vector<selftest::Mutant>& mutants,
                                const std::string& cases) {
  TextLayout page(requirement.id + "   " + requirement.class_name);
  page.gap();
  page.paragraph(requirement.text);
  page.gap();
  page.entry("Clause", source_of(requirement));
  if (const auto link = reports::clause_link(requirement); !link.empty()) {
    page.verbatim("", "  " + link);
  }
  page.entry("Level", meaning_of(requirement.level));
  page.entry("Verdicts", requirement.note);
  page.entry("Why", requirement.why);
  std::string_view label = "Seen in";
  for (const auto& citation : requirement.seen) {
    page.entry(label, citation);
    if (const auto link = reports::thread_link(citation); !link.empty())
      page.verbatim("", "  " + link);
    label = "";
  }
  page.gap();
  if (is_of_clients(requirement, corpus)) {
    if (!add_client_tests(requirement, corpus, dialogues, mutants, cases, page)) {
      page.entry("Tested by", why_untested(requirement));
    }
  } else if (add_cases(requirement, corpus, cases, page)) {
    add_faults(requirement, corpus, mutants, cases, page);
  }
  return page.text();
}

}  // namespace jrpcheck::cli
