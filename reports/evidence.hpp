// What reports show of a run, worked out once for all formats.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "result/cause.hpp"
#include "result/run.hpp"

namespace jrpcheck::reports {

using result::Charge;

/// What the case sent in that step, for a person; over HTTP the body, which the case is about.
std::string sent_in_step(const result::CaseResult& one, std::size_t step);

/// The same of what the finding may be due to: what was sent in its step, and where the server has
/// ended also what was sent before that, and what its own Requests were answered. Of an outcome
/// that came before its step was sent: what was said last.
std::string sent_for(const result::CaseResult& one, const judge::Finding& finding);

/// The ids of the cases behind the first of them, each once; `shown`: so many charges are told.
std::vector<std::string> other_cases(const std::vector<Charge>& charges, std::size_t shown = 1);

/// The class a case belongs to: that of the first of its requirements that the run is answerable
/// for. It does not change with the verdict, so that a case has the same name in every run.
class CaseClasses {
 public:
  explicit CaseClasses(const result::Run& run);
  std::string of(const result::CaseResult& one) const;

 private:
  std::map<std::string, std::string> class_of_requirement_;
};

/// No case told anything about the server: there is nothing to be pleased about.
bool exercised_nothing(const result::Run& run);

/// "stdio, lines"; "http"; empty where the target was not reached.
std::string binding_text(const result::Target& target);

/// "3 passed, 0 warned, 1 failed, 2 not exercised, 4 not applicable".
std::string counts_text(const result::Counts& counts);

/// "71 of 80 applicable must exercised": how much the verdict of the run rests on.
std::string must_text(const result::Run& run);

/// One line that names what happened, for formats that show transcripts as text.
std::string event_line(const dialogue::Event& event, std::size_t max_length);

/// `text` for XML and HTML, element content and attribute values alike. What XML 1.0 §2.2 does not
/// allow, and bytes that are not UTF-8, become U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace jrpcheck::reports
