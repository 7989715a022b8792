#include "client/placeholders.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "client/door.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"

namespace jrpcheck::client {
namespace {

constexpr std::string_view kOtherId = "${other-id}";

// "2" for 2 and 2 for "2"; nothing for a String that spells no Number.
std::optional<std::string> of_other_type(const std::string& id) {
  if (!id.starts_with('"')) return "\"" + id + "\"";
  const std::string content = id.substr(1, id.size() - 2);
  const bool is_number = are_digits(content) && content.front() != '0';
  return is_number ? std::optional(content) : std::nullopt;
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
  replace_all(made, kOtherId, of_other_type(id).value_or("987654321"));
  replace_all(made, "${id-as-fraction}", as_fraction(id));
  replace_all(made, "${value}", blanks.value);
  replace_all(made, "${wrong}", "999");
  return made;
}

bool spells_own_id(const corpus::Scenario& scenario, const Blanks& blanks) {
  const auto& own = blanks.ids.at(blanks.subject);
  return std::ranges::any_of(scenario.answer, [&](const auto& each) {
    return has_literal_id(each) && has_id(filled(each, blanks), own);
  });
}

bool has_equal_ids(const Blanks& blanks) {
  std::vector<std::string> ids(blanks.ids.begin() + 1, blanks.ids.end());
  std::erase(ids, "");  // of calls that were not made
  std::ranges::sort(ids);
  return std::ranges::adjacent_find(ids) != ids.end();
}

// Of the calls that a message answers, by their numbers in such ids.
void add_answered(const json::Value& message, const Blanks& blanks, std::vector<std::size_t>& all) {
  if (message.is(json::Kind::array)) {
    for (const auto& each : message.children()) add_answered(each, blanks, all);
    return;
  }
  const json::Value* id = message.find("id");
  if (id == nullptr || message.find("method") != nullptr) return;
  for (std::size_t n = 1; n <= kCalls; ++n) {
    if (json::write(*id) == blanks.ids.at(n)) all.push_back(n);
  }
}

// Whether something comes for another call than the subject, or stays behind once that has ended,
// and would be for a call with the same id.
bool tells_calls_apart(const corpus::Scenario& scenario) {
  Blanks blanks;
  blanks.value = "0";
  for (std::size_t n = 1; n <= kCalls; ++n) {
    blanks.ids.at(n) = "\"call " + std::to_string(n) + "\"";
    blanks.goods.at(n) = plain_response("0", blanks.ids.at(n));
  }
  std::vector<std::size_t> answered;
  bool has_response = false;
  for (const auto& each : scenario.answer) {
    const auto parsed = json::parse(filled(each, blanks));
    if (!parsed) continue;
    add_answered(*parsed.value, blanks, answered);
    has_response = has_response || parsed.value->find("id") != nullptr;
  }
  // The call behind a Notification may end by what answers that, before its own answer comes. Where
  // replies are paired that is read for no other call.
  const bool is_paired =
      !scenario.doors.empty() && std::ranges::all_of(scenario.doors, [](const std::string& name) {
        const Door* door = door_named(name);
        return door != nullptr && door->pairs_replies();
      });
  if (scenario.is_of_notification && has_response && !is_paired) return true;
  return answered.size() > 1 || (answered.size() == 1 && answered.front() != kSubject);
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
  answer.in_two_writes = scenario.in_two_writes;
  // Whether what a reset follows is read before it is chance where it comes at once.
  const bool is_before_reset = scenario.then == "reset" && !scenario.answer.empty();
  answer.has_pauses = scenario.in_two_writes || scenario.are_apart || is_before_reset;
  answer.http_status = scenario.http_status;
  answer.http_type = scenario.http_type;
  answer.http_chunk = scenario.http_chunk;
  answer.cut = scenario.cut;
  answer.then = scenario.then;
  return answer;
}

std::string hindrance_of_ids(const corpus::Scenario& scenario, const Blanks& blanks) {
  if (spells_own_id(scenario, blanks)) {
    return "the client's own call has the id that was to be of no call";
  }
  const bool has_other_id = std::ranges::any_of(
      scenario.answer, [](const auto& each) { return each.find(kOtherId) != each.npos; });
  const auto& own = blanks.ids.at(blanks.subject);
  if (has_other_id && !own.empty() && !of_other_type(own)) {
    return "the client's ids are Strings that spell no plain Number, so that none of that type is "
           "like them";
  }
  const bool is_told = !has_equal_ids(blanks) || !tells_calls_apart(scenario);
  return is_told ? "" : "two calls of the client have the same id";
}

std::string plain_response(const std::string& result, const std::string& id) {
  return R"({"jsonrpc":"2.0","result":)" + result + R"(,"id":)" + id + "}";
}

}  // namespace jrpcheck::client
