#include "reports/evidence.hpp"

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/utf8.hpp"
#include "dialogue/pieces_note.hpp"

namespace jrpcheck::reports {

namespace {

// Over HTTP the body, which is what the case is about.
std::string_view without_head(std::string_view request) {
  const auto head_end = request.find("\r\n\r\n");
  const bool is_http =
      head_end != std::string_view::npos && request.find(" HTTP/1.1\r\n") != std::string_view::npos;
  return is_http ? request.substr(head_end + 4) : request;
}

// What became of the server may be due to any message of the case.
bool is_end_of_server(judge::Symptom symptom) {
  return symptom == judge::Symptom::died || symptom == judge::Symptom::serves_no_connection ||
         symptom == judge::Symptom::serves_not_this_connection;
}

// Several messages where they went on several connections.
std::string sent_in(const result::CaseResult& one, std::size_t step, bool with_own_answers) {
  std::string sent;
  for (const auto& event : one.transcript) {
    const bool is_frame = event.note.starts_with(dialogue::kFrameNote);
    const bool is_handshake = event.note == dialogue::kHandshakeNote;
    const bool is_in_pieces = event.note.starts_with(dialogue::kPiecesNote);
    const bool is_told_answer = with_own_answers && event.note == dialogue::kOwnAnswerNote;
    const bool is_control =
        !event.note.empty() && !is_frame && !is_handshake && !is_in_pieces && !is_told_answer;
    if (event.direction != dialogue::Direction::sent || is_control || event.step != step) continue;
    if (!sent.empty()) sent += "  and  ";
    if (is_frame) {
      sent += "[" + event.note.substr(dialogue::kFrameNote.size()) + "] ";
    } else if (is_in_pieces) {
      sent += "[" + event.note + "] ";
    }
    sent += is_handshake ? std::string_view(event.bytes) : without_head(event.bytes);
  }
  return sent;
}

}  // namespace

std::string sent_in_step(const result::CaseResult& one, std::size_t step) {
  return sent_in(one, step, false);
}

// An outcome that has come before anything of its step was sent came of what was said last: in the
// step before, or as an answer to what the server itself had asked.
std::string sent_for(const result::CaseResult& one, const judge::Finding& finding) {
  const bool is_end = is_end_of_server(finding.symptom);
  std::string sent = sent_in(one, finding.step, is_end);
  const bool is_early = finding.symptom == judge::Symptom::outcome_of_case && sent.empty();
  if (is_early) sent = sent_in(one, finding.step, true);
  for (std::size_t step = finding.step; step > 0 && (is_end || (is_early && sent.empty()));
       --step) {
    std::string before = sent_in(one, step - 1, true);
    if (!before.empty() && !sent.empty()) before.append("  and  ");
    sent.insert(0, before);
  }
  return sent;
}

std::vector<std::string> other_cases(const std::vector<Charge>& charges, std::size_t shown) {
  std::vector<std::string> ids;
  for (std::size_t i = shown; i < charges.size(); ++i) {
    const auto& id = charges[i].one->id;
    if (id != charges.front().one->id && !contains(ids, id)) ids.push_back(id);
  }
  return ids;
}

CaseClasses::CaseClasses(const result::Run& run) {
  for (const auto& each : run.requirements) {
    class_of_requirement_[each.requirement.id] = each.requirement.class_name;
  }
}

std::string CaseClasses::of(const result::CaseResult& one) const {
  for (const auto& id : one.requirements) {
    const auto found = class_of_requirement_.find(id);
    if (found != class_of_requirement_.end()) return found->second;
  }
  return "other";
}

bool exercised_nothing(const result::Run& run) {
  if (run.shard && run.cases.empty()) return false;  // all is with the other shards
  return run.counts.pass + run.counts.warn + run.counts.fail == 0;
}

std::string binding_text(const result::Target& target) {
  if (target.framing.empty() || target.framing == target.transport) return target.framing;
  return target.transport + ", " + target.framing;
}

std::string counts_text(const result::Counts& counts) {
  return fmt::format("{} passed, {} warned, {} failed, {} not exercised, {} not applicable",
                     counts.pass, counts.warn, counts.fail, counts.not_exercised,
                     counts.not_applicable);
}

std::string must_text(const result::Run& run) {
  const auto coverage = result::must_coverage(run);
  return fmt::format("{} of {} applicable must exercised", coverage.exercised, coverage.applicable);
}

std::string event_line(const dialogue::Event& event, std::size_t max_length) {
  std::string line = fmt::format("{:>10.3f} ms  {:<9}", static_cast<double>(event.at.count()) / 1e3,
                                 dialogue::name_of(event.direction));
  if (!event.note.empty()) line += " (" + to_visible(event.note) + ")";
  if (!event.bytes.empty()) line += " " + to_visible(event.bytes, max_length);
  return line;
}

namespace {

// XML 1.0 §2.2: no controls but tab, line feed and carriage return, and no U+FFFE or U+FFFF.
bool is_allowed(std::string_view sequence) {
  if (sequence.size() == 1) {
    const char c = sequence.front();
    return c >= 0x20 || c == '\t' || c == '\n' || c == '\r';
  }
  return sequence != "\xEF\xBF\xBE" && sequence != "\xEF\xBF\xBF";
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto character = first_character(text);
    const auto sequence = text.substr(0, character.is_whole ? character.length : 1);
    if (!character.is_whole || !is_allowed(sequence)) {
      out += "\xEF\xBF\xBD";
      text.remove_prefix(sequence.size());
      continue;
    }
    switch (sequence.front()) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\r':
        out += "&#13;";
        break;
      default:
        out += sequence;
    }
    text.remove_prefix(sequence.size());
  }
  return out;
}

}  // namespace jrpcheck::reports
