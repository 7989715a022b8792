// The judge: any case of the corpus, and whatever may have come back. The input is a script: the id
// of a case, then one line for each thing that happened. The first character says what it is:
//   >REPLY   =HTTP STATUS   :CONTENT TYPE   ~NOISE   !VIOLATION OF THE FRAMING   ?UNFINISHED
//   MESSAGE . the step ends   t nothing came in time   c closed   x exited   a d w k what survived
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "corpus/bindings.hpp"
#include "corpus/corpus.hpp"
#include "fuzz/targets/promise.hpp"
#include "json/parse.hpp"
#include "judge/judge.hpp"

using namespace jrpcheck;
using corpus::Case;
using dialogue::Ending;
using dialogue::Exchange;
using dialogue::Survival;
using dialogue::SurvivalCheck;
using judge::Judgement;

namespace {

struct Bound {
  corpus::Ledger ledger;
  std::vector<Case> cases;  // for each transport, so that the outcomes of all are there
};

/// The judge reads what was sent: a message of a megabyte is read thousands of times in vain.
bool is_small(const Case& one) {
  constexpr std::size_t kLargest = 4096;
  std::size_t bytes = 0;
  for (const auto& step : one.steps) {
    for (const auto& message : step.messages) bytes += message.text().size();
  }
  return bytes <= kLargest;
}

Bound all_cases() {
  auto corpus = corpus::assemble(corpus::embedded_files(), {});
  fuzz::promise(static_cast<bool>(corpus), "the corpus can be read");
  corpus::Bindings bindings;
  bindings.string_id = "string-id";
  bindings.unknown_method = "jrpcheckUnknown";
  for (const auto& role : corpus::known_roles()) bindings.roles[role] = role;
  Bound all;
  for (const auto& one : corpus->cases) {
    for (const char* transport : {"stdio", "http"}) {
      if (!one.applies_to(transport)) continue;
      bindings.transport = transport;
      auto bound = corpus::bind(one, bindings);
      fuzz::promise(static_cast<bool>(bound), "a case can be bound", one.id);
      if (is_small(*bound)) all.cases.push_back(*std::move(bound));
    }
  }
  all.ledger = std::move(corpus->ledger);
  return all;
}

/// The case of that id; for any other text one that the text decides.
const Case& case_of(const Bound& all, std::string_view id) {
  const auto named = std::find_if(all.cases.begin(), all.cases.end(),
                                  [&](const Case& each) { return each.id == id; });
  if (named != all.cases.end()) return *named;
  return all.cases[std::hash<std::string_view>()(id) % all.cases.size()];
}

struct Happening {
  std::vector<Exchange> exchanges = std::vector<Exchange>(1);
  SurvivalCheck survival;
};

/// Only what a session can report: after an exchange that ended early there is no other.
void add_line(std::string_view line, Happening& happening) {
  Exchange& now = happening.exchanges.back();
  const std::string rest(line.substr(1));
  switch (line.front()) {
    case '>':
      if (!rest.empty()) now.replies.push_back({rest, now.http_status});
      break;
    case '=':
      now.http_status = 100 + static_cast<int>(std::strtoul(rest.c_str(), nullptr, 10) % 500);
      break;
    case ':':
      now.http_content_type = rest;
      break;
    case '~':
      now.noise.push_back({rest, ""});
      break;
    case '!':
      now.noise.push_back({rest, "a rule of the framing"});
      break;
    case '?':
      now.unfinished = rest;
      break;
    case '.':
      if (now.ending == Ending::settled) happening.exchanges.emplace_back();
      break;
    case 't':
      now.ending = Ending::timed_out;
      break;
    case 'c':
      now.ending = Ending::closed;
      break;
    case 'x':
      now.ending = Ending::exited;
      break;
    case 'a':
      happening.survival = {Survival::alive, "", ""};
      break;
    case 'd':
      happening.survival = {Survival::deaf, "deaf", rest};
      break;
    case 'w':
      happening.survival = {Survival::wedged, "wedged", rest};
      break;
    case 'k':
      happening.survival = {Survival::dead, "exited with code 1", rest};
      break;
    default:
      break;
  }
}

std::string_view take_line(std::string_view& script) {
  const std::size_t end = script.find('\n');
  const std::string_view line = script.substr(0, end);
  script.remove_prefix(end == std::string_view::npos ? script.size() : end + 1);
  return line;
}

std::string shown(const Judgement& judgement) {
  std::string text = "unjudged: " + judgement.unjudged.value_or("no") + "\n";
  for (const auto& each : judgement.findings) {
    text += each.requirement + " " + std::string(name_of(each.severity)) + ": " +
            judge::sentence_of(each) + "\n";
  }
  return text;
}

void check_findings(const Judgement& judgement, const Case& one, const Bound& all) {
  for (const auto& finding : judgement.findings) {
    fuzz::promise(all.ledger.find(finding.requirement) != nullptr,
                  "a finding is charged to a requirement of the ledger", finding.requirement);
    fuzz::promise(finding.severity != corpus::Verdict::pass &&
                      !judge::sentence_of(finding).empty() && finding.step < one.steps.size(),
                  "a finding says what is wrong, and where", shown(judgement));
  }
}

/// A server that says nothing where something is due has not passed.
void check_silence(const Happening& happening, const Case& one, const Judgement& judgement) {
  const auto replied = [](const Exchange& each) {
    return !each.replies.empty() || each.http_status != 0;
  };
  const auto& exchanges = happening.exchanges;
  if (std::any_of(exchanges.begin(), exchanges.end(), replied)) return;
  const bool due = std::any_of(one.steps.begin(), one.steps.end(),
                               [](const corpus::Step& step) { return step.demands_reply(); });
  // A violation of what is merely recorded is an observation.
  const bool said =
      !judgement.findings.empty() || judgement.unjudged || !judgement.observations.empty();
  fuzz::promise(!due || said, "silence does not pass where a reply is due", one.id);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Bound all = all_cases();
  std::string_view script = fuzz::text_of(bytes, size);
  const Case& one = case_of(all, take_line(script));
  Happening happening;
  while (!script.empty()) {
    const auto line = take_line(script);
    if (!line.empty()) add_line(line, happening);
  }
  if (happening.exchanges.size() > one.steps.size()) happening.exchanges.resize(one.steps.size());
  judge::Context context;
  if (one.id.rfind("v1/", 0) == 0) context.dialect = corpus::Dialect::json_rpc_1_0;
  const auto judgement =
      judge::judge(one, happening.exchanges, happening.survival, all.ledger, context);
  check_findings(judgement, one, all);
  check_silence(happening, one, judgement);
  return 0;
}
