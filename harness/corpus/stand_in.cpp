#include "corpus/stand_in.hpp"

#include <algorithm>
#include <optional>

#include "corpus/member_reader.hpp"

namespace jrpcheck::corpus {
namespace {

using json::Kind;

constexpr std::string_view kEcho = "echo";
constexpr std::string_view kSum = "sum";
constexpr std::string_view kAdd = "add";
constexpr std::string_view kAddNamed = "add-named";
constexpr std::string_view kNoParams = "no-params";

// A call in a case, and what comes of it.
struct Call {
  const json::Value* id = nullptr;  // none: a Notification
  long long difference = 0;
  std::optional<json::Value> result;  // of the stand-in; none: any
};

struct Calls {
  std::vector<dialogue::Message> messages;  // what the ids are held by
  std::vector<Call> all;
  bool are_of_two_numbers = true;
  bool are_plain = true;  // their params are spelled in no way of their own
};

struct Operands {
  long long minuend;
  long long subtrahend;
};

std::optional<Operands> operands_in(const json::Value& params) {
  const bool is_array = params.is(Kind::array);
  if ((!is_array && !params.is(Kind::object)) || params.size() != 2) return std::nullopt;
  const json::Value* minuend = is_array ? &params.children()[0] : params.find("minuend");
  const json::Value* subtrahend = is_array ? &params.children()[1] : params.find("subtrahend");
  if (minuend == nullptr || subtrahend == nullptr) return std::nullopt;
  const auto first = to_integer(*minuend);
  const auto second = to_integer(*subtrahend);
  if (!first || !second) return std::nullopt;
  return Operands{*first, *second};
}

bool calls_method(const json::Value& message, const std::string& method) {
  const json::Value* name = message.is(Kind::object) ? message.find("method") : nullptr;
  return name != nullptr && name->is(Kind::string) && name->text() == method;
}

std::optional<json::Value> result_of(const std::string& role, const json::Value& params,
                                     const Operands& operands) {
  if (role == kNoParams) return std::nullopt;
  if (role == kEcho) return params.clone();
  return json::Value::number(operands.minuend + operands.subtrahend);
}

bool takes_names(const std::string& role) { return role == kEcho || role == kAddNamed; }

bool adds(const std::string& role) { return role == kSum || role == kAdd || role == kAddNamed; }

// A method that adds may take no sign and no wide Number: it has been tried with neither.
bool may_be_added(const Operands& operands) {
  constexpr long long kMost = 9'999;
  const auto is_tried = [](long long each) { return each >= 0 && each <= kMost; };
  return is_tried(operands.minuend) && is_tried(operands.subtrahend);
}

void note_call(const json::Value& message, const std::string& text, const std::string& method,
               const std::string& role, Calls& calls) {
  if (!calls_method(message, method)) return;
  const json::Value* params = message.find("params");
  const auto operands = params == nullptr ? std::nullopt : operands_in(*params);
  if (!operands || (params->is(Kind::object) && !takes_names(role)) ||
      (adds(role) && !may_be_added(*operands))) {
    calls.are_of_two_numbers = false;
    return;
  }
  const auto spelled = text.substr(params->begin(), params->end() - params->begin());
  calls.are_plain = calls.are_plain && spelled == json::write(*params);
  calls.all.push_back({message.find("id"), operands->minuend - operands->subtrahend,
                       result_of(role, *params, *operands)});
}

Calls calls_in(const Case& bound, const std::string& method, const std::string& role) {
  Calls calls;
  for (const auto& step : bound.steps) {
    for (auto& message : step.whole_messages()) calls.messages.push_back(std::move(message));
  }
  for (const auto& message : calls.messages) {
    const json::Value* value = message.value();
    if (value == nullptr) continue;
    note_call(*value, message.text(), method, role, calls);
    if (!value->is(Kind::array)) continue;
    for (const auto& each : value->children()) {
      note_call(each, message.text(), method, role, calls);
    }
  }
  return calls;
}

// No difference is zero, and where two differ so do the results.
bool are_told_apart(const std::vector<const Call*>& calls) {
  return std::ranges::all_of(calls, [&](const Call* one) {
    return one->difference != 0 && std::ranges::all_of(calls, [&](const Call* other) {
             const bool differ =
                 one->result && other->result && !json::equal(*one->result, *other->result);
             return one->difference == other->difference || differ;
           });
  });
}

// The call whose result this expects.
const Call* call_meant(const ResponsePattern& response, const std::vector<Call>& calls) {
  const auto expected = to_integer(*response.result->equals);
  const auto found = std::ranges::find_if(calls, [&](const Call& call) {
    return expected == call.difference && call.id != nullptr &&
           std::ranges::any_of(response.id.any_of,
                               [&](const json::Value& id) { return json::equal(id, *call.id); });
  });
  return found == calls.end() ? nullptr : &*found;
}

bool expects_anything(const ResultPattern& result) {
  return !result.equals && !result.type && result.contains.empty();
}

template <typename SomeCase, typename Visit>
void for_each_result(SomeCase& bound, const Visit& visit) {
  for (auto& step : bound.steps) {
    for (auto& outcome : step.accept) {
      for (auto& each : outcome.responses) {
        if (each.result) visit(each);
      }
      if (!outcome.array) continue;
      for (auto& each : *outcome.array) {
        if (each.result) visit(each);
      }
    }
  }
}

// A sum is the same in whatever order, and by whatever names; without params nothing is seen of
// them, and a call of 1.0 is none.
bool is_about_what_is_lost(const std::string& requirement, const std::string& role) {
  const bool is_about_params = requirement.starts_with("par-") ||
                               requirement.starts_with("req-params-") ||
                               requirement.starts_with("v1-params-");
  const bool is_of_1_0 = role == kNoParams && requirement.starts_with("v1-");
  return role != kEcho && (is_about_params || is_of_1_0);
}

// Where the member with this value begins: its name stands before it, as cases spell it.
std::optional<std::size_t> begin_of_params(const std::string& text, const json::Value& params) {
  const auto name = text.rfind("\"params\"", params.begin());
  return name == std::string::npos ? std::nullopt : std::optional(name);
}

void take_out(const json::Value& params, std::string& text) {
  const auto begin = begin_of_params(text, params);
  if (!begin) return;
  const auto comma_behind = text.find_first_not_of(" \t\r\n", params.end());
  if (comma_behind != std::string::npos && text[comma_behind] == ',') {
    text.erase(*begin, comma_behind + 1 - *begin);
    return;
  }
  const auto comma_before = text.rfind(',', *begin);
  const auto from = comma_before == std::string::npos ? *begin : comma_before;
  text.erase(from, params.end() - from);
}

// In the order in which they stand.
std::string by_other_names(const json::Value& params) {
  json::Value named = json::Value::object();
  for (std::size_t i = 0; i < params.size(); ++i) {
    const bool is_first = params.is(Kind::array) ? i == 0 : params.names()[i] == "minuend";
    named.append(is_first ? "a" : "b", params.children()[i].clone());
  }
  return json::write(named);
}

// Whoever takes another name for that of the method calls it with the same params. All else stays
// as the case spells it.
dialogue::Message as_called(const dialogue::Message& message, const std::string& role) {
  if (message.value() == nullptr) return message;
  std::vector<const json::Value*> all_params;
  const auto note = [&](const json::Value& each) {
    const json::Value* params = each.is(Kind::object) ? each.find("params") : nullptr;
    if (params != nullptr && operands_in(*params)) all_params.push_back(params);
  };
  note(*message.value());
  if (message.value()->is(Kind::array)) std::ranges::for_each(message.value()->children(), note);
  std::string text = message.text();
  for (auto params = all_params.rbegin(); params != all_params.rend(); ++params) {
    if (role == kNoParams) {
      take_out(**params, text);
    } else {
      text.replace((*params)->begin(), (*params)->end() - (*params)->begin(),
                   by_other_names(**params));
    }
  }
  return text;
}

bool changes_params(const std::string& role) { return role == kAddNamed || role == kNoParams; }

// The same calls, and nothing else, when the message is written with other params.
bool stays_whole(const dialogue::Message& message, const std::string& method,
                 const std::string& role) {
  if (message.value() == nullptr || !calls_method(*message.value(), method)) return true;
  const auto changed = as_called(message, role);
  if (changed.value() == nullptr || !calls_method(*changed.value(), method)) return false;
  const json::Value* params = changed.value()->find("params");
  return (params == nullptr) == (role == kNoParams);
}

// Of a case whose calls have other params: none of its bytes are counted or spelled on purpose, and
// without params it is not about results.
bool may_change_params(const Case& bound, const Calls& calls, const std::string& method,
                       const std::string& role) {
  return calls.are_plain && std::ranges::all_of(bound.steps, [&](const Step& step) {
           const bool is_plain = !step.raw && step.frames.empty() && step.write_at.empty();
           const bool is_of_results = role == kNoParams && step.charge.count("result") != 0;
           return is_plain && !is_of_results &&
                  std::ranges::all_of(step.messages, [&](const dialogue::Message& message) {
                    return stays_whole(message, method, role);
                  });
         });
}

}  // namespace

const std::vector<std::string>& stand_ins() {
  static const std::vector<std::string> all = {std::string(kEcho), std::string(kSum),
                                               std::string(kAdd), std::string(kAddNamed),
                                               std::string(kNoParams)};
  return all;
}

bool may_stand_in(const Case& bound, const std::string& method, const std::string& role) {
  const Calls calls = calls_in(bound, method, role);
  if (!calls.are_of_two_numbers) return false;
  if (std::ranges::any_of(bound.requirements, [&](const std::string& each) {
        return is_about_what_is_lost(each, role);
      })) {
    return false;
  }
  if (changes_params(role) && !may_change_params(bound, calls, method, role)) return false;
  std::vector<const Call*> meant;
  bool are_known = true;
  for_each_result(bound, [&](const ResponsePattern& each) {
    if (expects_anything(*each.result)) return;
    const Call* call = each.result->equals ? call_meant(each, calls.all) : nullptr;
    are_known = are_known && call != nullptr;
    if (call != nullptr) meant.push_back(call);
  });
  return are_known && are_told_apart(meant);
}

void call_stand_in(Case& bound, const std::string& method, const std::string& role) {
  const Calls calls = calls_in(bound, method, role);
  for_each_result(bound, [&](ResponsePattern& each) {
    if (!each.result->equals) return;
    const Call* call = call_meant(each, calls.all);
    if (call == nullptr) return;
    each.result->equals = call->result ? std::optional(call->result->clone()) : std::nullopt;
  });
  if (!changes_params(role)) return;
  for (auto& step : bound.steps) {
    for (auto& message : step.messages) message = as_called(message, role);
  }
}

}  // namespace jrpcheck::corpus
