#include "client/placeholders.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace jrpcheck::client {
namespace {

// "2" for 2 and 2 for "2".
std::string of_other_type(const std::string& id) {
  const bool is_text = id.starts_with('"');
  if (!is_text) return "\"" + id + "\"";
  const std::string content = id.substr(1, id.size() - 2);
  return are_digits(content) && content.front() != '0' ? content : "987654321";
}

// The same Number with a fraction; what is no plain integer stays as it is.
std::string as_fraction(const std::string& id) {
  const bool is_integer = id.find_first_not_of("-0123456789") == id.npos;
  return is_integer ? id + ".0" : id;
}

// Whether the answer of a scenario has an id that no placeholder stands for, such as true.
bool has_literal_id(const std::string& answer) {
  constexpr std::string_view kMember = "\"id\":";
  const auto at = answer.find(kMember);
  return at != answer.npos && answer.compare(at + kMember.size(), 2, "${") != 0;
}

// Whether it is a Response with the id that is spelled so.
bool has_id(const std::string& response, const std::string& spelled) {
  const auto parsed = json::parse(response);
  const json::Value* id =
      parsed && parsed.value->is(json::Kind::object) ? parsed.value->find("id") : nullptr;
  return id != nullptr && json::write(*id) == spelled;
}

std::string filled(const std::string& text, const Blanks& blanks) {
  std::string made = text;
  const auto with_number = [](const char* name, std::size_t n) {
    return "${" + std::string(name) + (n == 0 ? "" : std::to_string(n)) + "}";
  };
  for (std::size_t n = 0; n <= kCalls; ++n) {
    const std::size_t of = n == 0 ? blanks.subject : n;
    replace_all(made, with_number("good", n), blanks.goods.at(of));
    replace_all(made, with_number("id", n), blanks.ids.at(of));
  }
  const std::string& id = blanks.ids.at(blanks.subject);
  replace_all(made, "${other-id}", of_other_type(id));
  replace_all(made, "${id-as-fraction}", as_fraction(id));
  replace_all(made, "${value}", blanks.value);
  replace_all(made, "${wrong}", "999");
  return made;
}

}  // namespace

Answer answer_of(const corpus::Scenario& scenario, const Blanks& blanks) {
  Answer answer;
  for (const auto& each : scenario.answer) answer.messages.push_back(filled(each, blanks));
  for (const auto& each : scenario.frames) {
    std::string payload = filled(each.payload, blanks);
    const auto middle = payload.size() / 2;
    if (each.half == 1) payload.resize(middle);
    if (each.half == 2) payload.erase(0, middle);
    answer.frames.push_back({each.details, std::move(payload)});
  }
  answer.is_withheld = scenario.is_unanswered;
  const bool is_good = scenario.answer.empty() && scenario.frames.empty() &&
                       scenario.then.empty() && !scenario.is_unanswered &&
                       !scenario.is_of_notification;
  if (is_good) {
    answer.messages.push_back(blanks.goods.at(blanks.subject));
  }
  answer.in_one_write = scenario.in_one_write;
  answer.http_status = scenario.http_status;
  answer.http_type = scenario.http_type;
  answer.cut = scenario.cut;
  answer.then = scenario.then;
  answer.is_odd = true;
  return answer;
}

bool spells_own_id(const corpus::Scenario& scenario, const Blanks& blanks) {
  const auto& own = blanks.ids.at(blanks.subject);
  return std::ranges::any_of(scenario.answer, [&](const auto& each) {
    return has_literal_id(each) && has_id(filled(each, blanks), own);
  });
}

std::string plain_response(const std::string& result, const std::string& id) {
  return R"({"jsonrpc":"2.0","result":)" + result + R"(,"id":)" + id + "}";
}

}  // namespace jrpcheck::client
