#include "corpus/vectors.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "corpus/load_case.hpp"
#include "json/parse.hpp"
#include "json/value.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;
using json::Value;

struct VectorLine {
  enum class What { nothing, comment, sent, due, unknown };
  What what = What::nothing;
  std::string_view text;  ///< behind the arrow, or the comment's
};

std::string_view without_space(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

VectorLine line_of(std::string_view line) {
  using What = VectorLine::What;
  constexpr std::pair<std::string_view, What> kBeginnings[] = {{"//", What::comment},
                                                               {">>", What::sent},
                                                               {"-->", What::sent},
                                                               {"<<", What::due},
                                                               {"<--", What::due}};
  line = without_space(line);
  if (line.empty()) return {};
  for (const auto& [beginning, what] : kBeginnings) {
    if (line.starts_with(beginning)) {
      return {what, without_space(line.substr(beginning.size()))};
    }
  }
  return {What::unknown, line};
}

Value text_value(std::string_view text) { return Value::string(std::string(text)); }

Value one_member(std::string name, Value value) {
  Value object = Value::object();
  object.append(std::move(name), std::move(value));
  return object;
}

// Reads one file; `error` is set where it cannot.
class VectorReader {
 public:
  explicit VectorReader(const std::string& path) : path_(path) {}

  Result<Case> read(std::string_view text) {
    while (!text.empty() && !error_) {
      const auto end = std::min(text.find('\n'), text.size());
      ++line_;
      take(line_of(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    end_step();
    if (!error_ && steps_.size() == 0) fail("no line begins with >>");
    if (error_) return *error_;
    auto loaded = load_case(path_, json::write(as_case()));
    if (loaded) loaded->line = first_line_;
    return loaded;
  }

 private:
  void fail(const std::string& what) {
    if (!error_)
      error_ = Error{path_ + ":" + std::to_string(std::max<std::size_t>(line_, 1)) + ": " + what};
  }

  void take(const VectorLine& line) {
    switch (line.what) {
      case VectorLine::What::nothing:
        return;
      case VectorLine::What::comment:
        is_by_form_ = is_by_form_ || line.text.starts_with("speconly");
        return;
      case VectorLine::What::sent:
        return begin_step(line.text);
      case VectorLine::What::due:
        return expect(line.text);
      case VectorLine::What::unknown:
        return fail("a line begins with >> (sent), << (due) or // (a comment)");
    }
  }

  void begin_step(std::string_view message) {
    end_step();
    if (first_line_ == 0) first_line_ = line_;
    if (message.empty()) return fail("nothing is sent");
    if (message.find("${") != message.npos) return fail("a message cannot hold ${");
    sent_ = message;
  }

  void expect(std::string_view message) {
    if (sent_.empty()) return fail("<< answers nothing: no >> stands before it");
    auto parsed = json::parse(message);
    if (!parsed) return fail("not JSON: " + parsed.error.message);
    if (message.find("${") != message.npos) return fail("a message cannot hold ${");
    // What a server says on its own account has no place in an answer.
    if (parsed.value->find("method") != nullptr) return;
    due_.push_back(*std::move(parsed.value));
    if (!is_answer(due_.back())) {
      fail("no Response: it has an id, and one of result and error with an integer code");
    }
  }

  static bool is_response(const Value& value) {
    if (!value.is(Kind::object) || value.find("id") == nullptr) return false;
    const Value* error = value.find("error");
    if (error == nullptr || error->is(Kind::null)) return value.find("result") != nullptr;
    const Value* code = error->is(Kind::object) ? error->find("code") : nullptr;
    return code != nullptr && code->is(Kind::number) &&
           code->text().find_first_of(".eE") == std::string::npos;
  }

  static bool is_answer(const Value& value) {
    if (!value.is(Kind::array)) return is_response(value);
    return value.size() != 0 && std::ranges::all_of(value.children(), is_response);
  }

  Value pattern_of(const Value& response) const {
    Value pattern = Value::object();
    pattern.append("id", one_member("literal", response.find("id")->clone()));
    const Value* error = response.find("error");
    const bool failed = error != nullptr && !error->is(Kind::null);
    Value due = Value::object();
    if (is_by_form_) {
      due.append("any", Value::boolean(true));
    } else if (failed) {
      due.append("code", error->find("code")->clone());
    } else {
      due.append("equals", response.find("result")->clone());
    }
    pattern.append(failed ? "error" : "result", std::move(due));
    return pattern;
  }

  Value patterns_of(const std::vector<Value>& responses) const {
    Value patterns = Value::array();
    for (const auto& each : responses) patterns.append(pattern_of(each));
    return patterns;
  }

  Value outcome() const {
    if (due_.empty()) return one_member("silence", Value::boolean(true));
    if (due_.size() > 1) return one_member("responses", patterns_of(due_));
    if (!due_.front().is(Kind::array)) return one_member("response", pattern_of(due_.front()));
    return one_member("batch", patterns_of(due_.front().children()));
  }

  void end_step() {
    if (sent_.empty() || error_) return;
    const bool are_several = due_.size() > 1;
    const bool has_batch =
        std::ranges::any_of(due_, [](const auto& each) { return each.is(Kind::array); });
    if (are_several && has_batch) return fail("an Array is the only answer to what is sent");
    Value step = one_member("send", one_member("text", text_value(sent_)));
    Value accept = Value::array();
    accept.append(outcome());
    step.append("accept", std::move(accept));
    Value charge = Value::object();
    for (const char* part :
         {"code", "count", "id", "kind", "missing", "reply", "result", "shape", "silence"}) {
      charge.append(part, text_value(kVectorRequirement));
    }
    step.append("charge", std::move(charge));
    steps_.append(std::move(step));
    sent_ = {};
    due_.clear();
  }

  // eth_call/call-revert.io becomes vectors/eth-call-call-revert.
  std::string id() const {
    std::string name;
    for (const char c : path_.substr(0, path_.rfind('.'))) {
      if (is_alphanumeric(c)) name += to_lower(c);
      if (!is_alphanumeric(c) && !name.empty() && name.back() != '-') name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return "vectors/" + (name.empty() ? "unnamed" : name);
  }

  Value as_case() {
    Value one = Value::object();
    one.append("id", text_value(id()));
    one.append("title", text_value("The server answers as " + path_ + " has it"));
    Value requirements = Value::array();
    requirements.append(text_value(kVectorRequirement));
    one.append("requirements", std::move(requirements));
    one.append("steps", std::move(steps_));
    return one;
  }

  const std::string& path_;
  std::size_t line_ = 0;
  std::size_t first_line_ = 0;
  bool is_by_form_ = false;
  std::string sent_;
  std::vector<Value> due_;
  Value steps_ = Value::array();
  std::optional<Error> error_;
};

}  // namespace

bool holds_vectors(std::string_view path, std::string_view text) {
  if (path.ends_with(".io")) return true;
  if (path.ends_with(".json")) return false;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = line_of(text.substr(0, end));
    if (line.what == VectorLine::What::sent) return true;
    if (line.what == VectorLine::What::unknown) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

Result<Case> load_vectors(const std::string& path, std::string_view text) {
  return VectorReader(path).read(text);
}

Result<Ledger> vector_ledger() {
  return Ledger::load("vectors", R"({"requirements":[{"id":"vec-as-recorded",
    "clause":"the vectors that are brought","level":"must","class":"vectors",
    "why":"What was recorded is what clients of this server have come to rely on.",
    "text":"A message that a vector sends is answered as the vector says."}]})");
}

}  // namespace jrpcheck::corpus
