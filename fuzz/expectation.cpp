#include "fuzz/expectation.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "corpus/bindings.hpp"
#include "dialogue/id_key.hpp"
#include "fuzz/exact_names.hpp"
#include "fuzz/expected_response.hpp"
#include "fuzz/message_size.hpp"
#include "fuzz/protocol.hpp"
#include "json/contested.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {
namespace {

using Answer = ExpectedResponse::Answer;
using corpus::Outcome;
using corpus::ResponsePattern;
using corpus::step_sending;
using corpus::Verdict;
using json::Kind;
using json::Value;
using Shape = Outcome::Shape;

// Each of these may be left out by itself: twice as many outcomes for each.
constexpr std::size_t kMostOptional = 4;

Outcome outcome(Shape shape, std::vector<ResponsePattern> responses = {}) {
  Outcome one;
  one.shape = shape;
  one.responses = std::move(responses);
  return one;
}

std::vector<ResponsePattern> list_of(ResponsePattern pattern) {
  std::vector<ResponsePattern> list;
  list.push_back(std::move(pattern));
  return list;
}

Outcome warning(Shape shape, std::string charge, std::string because) {
  Outcome one = outcome(shape);
  one.verdict = Verdict::warn;
  one.charge = std::move(charge);
  one.because = std::move(because);
  return one;
}

// Over HTTP a body that is no message may be refused by the status alone, and on a stream dropped.
void add_refusals(std::vector<Outcome>& accept, const Traits& traits, const std::string& charge) {
  accept.push_back(warning(Shape::refused, charge,
                           "The HTTP status refuses the body, but no Response object says why."));
  if (traits.binding->pairs_replies) return;
  accept.push_back(warning(Shape::silence, charge, "Silence leaves the sender waiting."));
}

std::vector<Value> null_as_id() {
  std::vector<Value> ids;
  ids.push_back(Value::null());
  return ids;
}

// The answers that are likely where anything may come.
void add_likely(std::vector<Outcome>& accept) {
  accept.push_back(outcome(Shape::silence));
  accept.push_back(outcome(Shape::response, list_of(response_with(null_as_id()))));
}

Expectation open_expectation(const dialogue::Message& message, std::string kind, bool may_be_1_0) {
  Expectation expectation;
  expectation.kind = std::move(kind);
  expectation.open = true;
  expectation.may_be_1_0 = may_be_1_0;
  expectation.expected.requirements = {"rob-survives"};
  auto step = step_sending(message);
  add_likely(step.accept);
  expectation.expected.steps.push_back(std::move(step));
  return expectation;
}

Expectation closed_expectation(std::string kind, std::string requirement, corpus::Step step) {
  Expectation expectation;
  expectation.kind = std::move(kind);
  expectation.expected.requirements = {std::move(requirement)};
  expectation.expected.steps.push_back(std::move(step));
  return expectation;
}

Expectation expect_no_json(const dialogue::Message& message, const Traits& traits) {
  const std::string& text = message.text();
  if (!json::is_surely_broken(text) || traits.is_dialect) {
    // A lenient parser may read a Request of 1.0 in it.
    const bool names_2_0 = text.find("\"2.0\"") != std::string::npos;
    return open_expectation(message, "what RFC 8259 does not allow", !names_2_0);
  }
  auto step = step_sending(message);
  step.accept.push_back(outcome(Shape::response, list_of(error_with({-32700}, null_as_id()))));
  add_refusals(step.accept, traits, "err-code-parse");
  const bool batch = text.front() == '[';
  step.charge = {{"kind", "json-invalid"}, {"silence", "err-code-parse"}};
  auto expectation =
      closed_expectation(batch ? "unfinished Array" : "unfinished Object",
                         batch ? "bat-parse-error" : "err-code-parse", std::move(step));
  expectation.is_faulty = true;
  return expectation;
}

Expectation expect_element(const dialogue::Message& message, ExpectedResponse element) {
  if (element.answer == Answer::anything) {
    return open_expectation(message, element.kind, element.may_be_1_0);
  }
  auto step = step_sending(message);
  if (element.answer == Answer::none) {
    step.accept.push_back(outcome(Shape::silence));
    return closed_expectation(element.kind, element.requirement, std::move(step));
  }
  // Where any answer will do only the code of a refusal can be wrong, which says its own charge.
  const bool is_code_of_call = element.call_id != nullptr && element.response.error.has_value();
  step.accept = std::move(element.loose);
  step.accept.push_back(outcome(Shape::response, list_of(std::move(element.response))));
  if (element.answer == Answer::may_be_left_out) {
    Outcome silence = outcome(Shape::silence);
    if (element.silence == Verdict::warn) {
      silence = warning(Shape::silence, "ntf-invalid-answered",
                        "The examples of clause 7 answer an invalid Request that has no id.");
    }
    step.accept.push_back(std::move(silence));
    step.accept.push_back(warning(Shape::refused, "ntf-invalid-answered",
                                  "The HTTP status refuses the body, but no Response says why."));
    step.charge["silence"] = "ntf-invalid-answered";
  }
  if (!element.id_requirement.empty()) step.charge["id"] = element.id_requirement;
  if (!element.unanswered.empty()) step.charge["silence"] = element.unanswered;
  // Whatever else is wrong with it, what has an id is no Notification.
  if (element.id_requirement == "req-id-type") step.charge["silence"] = element.id_requirement;
  if (is_code_of_call) step.charge["code"] = "err-code-method";
  return closed_expectation(element.kind, element.requirement, std::move(step));
}

Expectation expect_single(const dialogue::Message& message, const Value& value,
                          const Traits& traits) {
  ExpectedResponse element = expected_response_to(value, traits);
  const bool is_call = element.is_call();
  const bool is_faulty = element.is_faulty();
  const bool is_notification = element.is_notification();
  Expectation expectation = expect_element(message, std::move(element));
  expectation.is_call = is_call && !expectation.open;
  expectation.is_faulty = is_faulty;
  expectation.is_notification = is_notification;
  return expectation;
}

std::string kind_of_batch(const std::vector<ExpectedResponse>& elements) {
  std::set<std::string_view> kinds;
  for (const auto& each : elements) kinds.insert(each.kind);
  std::string text;
  for (const auto kind : kinds) text.append(text.empty() ? "batch of " : ", ").append(kind);
  return text.empty() ? "empty batch" : text;
}

bool shares_its_id(const ExpectedResponse& element, const std::vector<ExpectedResponse>& elements) {
  if (element.call_id == nullptr) return false;
  return std::ranges::count_if(elements, [&](const ExpectedResponse& other) {
           return other.call_id != nullptr && json::equal(*other.call_id, *element.call_id);
         }) > 1;
}

bool is_open_batch(const std::vector<ExpectedResponse>& elements, const Traits& traits) {
  const auto count = [&](Answer answer) {
    return static_cast<std::size_t>(std::ranges::count_if(
        elements, [answer](const ExpectedResponse& each) { return each.answer == answer; }));
  };
  return !traits.serves_batches || elements.size() > kLargeBatch || count(Answer::anything) > 0 ||
         count(Answer::may_be_left_out) > kMostOptional;
}

// Calls that share an id are each answered or each refused (JSON-RPC 2.0 §6 leaves it open).
bool loosen_shared_ids(std::vector<ExpectedResponse>& elements) {
  std::vector<ExpectedResponse*> sharing;
  for (auto& each : elements) {
    if (shares_its_id(each, elements)) sharing.push_back(&each);
  }
  for (auto* each : sharing) {
    std::vector<Value> ids = null_as_id();
    if (!each->call_id->is(Kind::null)) ids.push_back(each->call_id->clone());
    each->response = response_with(std::move(ids));
    each->shares_its_id = true;
    // Null is for the call that is refused: a third id is the fault of none but ids.
    if (each->id_requirement.empty() && !each->call_id->is(Kind::null)) {
      each->id_requirement = "id-echo";
    }
  }
  return !sharing.empty();
}

void allow_refusal_of_shared_ids(corpus::Step& step) {
  step.accept.push_back(outcome(Shape::response, list_of(error_with({}, null_as_id()))));
  step.charge = {{"count", "bat-duplicate-ids"}, {"shape", "bat-array"}};
}

// Every way in which elements that may be left out are: bit i of `left_out` is the i-th of them.
Outcome batch_outcome(const std::vector<ExpectedResponse>& elements, std::size_t left_out) {
  std::vector<ResponsePattern> responses;
  Verdict verdict = Verdict::pass;
  for (const auto& each : elements) {
    if (each.answer == Answer::none) continue;
    if (each.answer == Answer::may_be_left_out) {
      const bool out = (left_out & 1U) != 0;
      left_out >>= 1U;
      if (out) {
        verdict = std::max(verdict, each.silence);
        continue;
      }
    }
    responses.push_back(clone(each.response));
  }
  const Shape shape = responses.empty() ? Shape::silence : Shape::batch;
  Outcome one = outcome(shape, std::move(responses));
  one.envelope_1_0 =
      std::ranges::any_of(elements, [](const ExpectedResponse& each) { return each.may_be_1_0; });
  if (verdict == Verdict::warn) {
    one.verdict = verdict;
    one.charge = "ntf-invalid-answered";
    one.because = "The examples of clause 7 answer an invalid Request that has no id.";
  }
  return one;
}

std::string requirement_of_batch(const std::vector<ExpectedResponse>& elements) {
  const auto all = [&](auto predicate) { return std::ranges::all_of(elements, predicate); };
  if (all([](const ExpectedResponse& each) { return each.answer == Answer::none; })) {
    return "bat-all-notifications";
  }
  const auto invalid = [](const ExpectedResponse& each) {
    return each.call_id == nullptr && each.answer != Answer::none;
  };
  if (!std::ranges::any_of(elements, invalid)) {
    return elements.size() == 1 ? "bat-one" : "bat-each";
  }
  const bool nested =
      all([&](const ExpectedResponse& each) { return !invalid(each) || each.is_array(); });
  return nested ? "bat-nested" : "bat-invalid-member";
}

// Where one Response is due, what else comes in place of the Array is that of a batch of one; and a
// surplus Response beside a single call can only be the Notification's.
void charge_batch_of_one(const std::vector<ExpectedResponse>& elements, corpus::Step& step) {
  const auto calls = std::ranges::count_if(
      elements, [](const ExpectedResponse& each) { return each.call_id != nullptr; });
  const auto notifications = std::ranges::count_if(
      elements, [](const ExpectedResponse& each) { return each.answer == Answer::none; });
  const auto all = static_cast<std::ptrdiff_t>(elements.size());
  if (all - notifications == 1) step.charge["shape"] = "bat-one";
  if (calls == 1 && notifications > 0 && calls + notifications == all) {
    step.charge["count"] = "ntf-silent-in-batch";
  }
  // Who serves an Array within the batch has an Array for it in the reply.
  if (requirement_of_batch(elements) == "bat-nested") step.charge["count"] = "bat-nested";
}

// Only unknown methods can have a wrong code where nothing is invalid. Where something is, a wrong
// code is charged to that, so the calls beside it may have any.
bool loosen_codes(std::vector<ExpectedResponse>& elements) {
  const bool valid = std::ranges::all_of(elements, [](const ExpectedResponse& each) {
    return each.call_id != nullptr || each.answer == Answer::none;
  });
  for (auto& each : elements) {
    if (!valid && each.call_id != nullptr && each.response.error) each.response.error->codes = {};
  }
  return valid;
}

// {} and {"foo": 1} are no Request in any dialect, and no Response.
bool is_no_message(const Value& element) {
  return element.is(Kind::object) && element.find("method") == nullptr &&
         !dialogue::has_outcome(element);
}

// Beside others it is refused in the shape of whatever version, or left out, and nothing else.
void expect_refusal_or_nothing(const Value& object, ExpectedResponse& element) {
  const Value* id = object.find("id");
  std::vector<Value> ids = null_as_id();
  if (id != nullptr && !id->is(Kind::null)) ids.push_back(id->clone());
  element.nature = ExpectedResponse::Nature::invalid_request;
  element.answer = Answer::may_be_left_out;
  element.response = error_with({}, std::move(ids));
}

std::vector<ExpectedResponse> elements_as_written(const Value& batch, bool is_contested,
                                                  const Traits& traits) {
  std::vector<ExpectedResponse> elements;
  elements.reserve(batch.size());
  for (const auto& each : batch.children()) {
    // Where the whole is not contested none of its elements is.
    elements.push_back(is_contested ? expected_response_to(each, traits)
                                    : expected_response_to_uncontested(each, traits));
    ExpectedResponse& element = elements.back();
    if (each.is(Kind::object) && has_folded_member(each)) element.answer = Answer::anything;
    if (element.may_be_1_0 && !is_contested && is_no_message(each)) {
      expect_refusal_or_nothing(each, element);
    }
    // In a batch what is no Object is answered in any case (JSON-RPC 2.0 §7).
    if (!each.is(Kind::object) && element.answer == Answer::may_be_left_out) {
      element.answer = Answer::due;
    }
  }
  return elements;
}

Expectation expect_empty_batch(const dialogue::Message& message) {
  auto step = step_sending(message);
  step.accept.push_back(outcome(Shape::response, list_of(error_with({-32600}, null_as_id()))));
  step.charge = {{"silence", "bat-empty"}, {"shape", "bat-empty"}};
  return closed_expectation("empty batch", "bat-empty", std::move(step));
}

Expectation expect_elements(const dialogue::Message& message, bool is_contested,
                            std::vector<ExpectedResponse> elements, const Traits& traits) {
  const bool may_be_1_0 =
      std::ranges::any_of(elements, [](const ExpectedResponse& each) { return each.may_be_1_0; });
  const std::string kind = kind_of_batch(elements);
  if (traits.is_dialect || is_contested || is_open_batch(elements, traits)) {
    return open_expectation(message, kind, may_be_1_0);
  }
  if (elements.empty()) return expect_empty_batch(message);
  auto step = step_sending(message);
  charge_batch_of_one(elements, step);
  if (loosen_codes(elements)) step.charge["code"] = "err-code-method";
  if (loosen_shared_ids(elements)) allow_refusal_of_shared_ids(step);
  const auto optional = std::ranges::count_if(elements, [](const ExpectedResponse& each) {
    return each.answer == Answer::may_be_left_out;
  });
  for (std::size_t left_out = 0; left_out < (1U << static_cast<unsigned>(optional)); ++left_out) {
    step.accept.push_back(batch_outcome(elements, left_out));
  }
  return closed_expectation(kind, requirement_of_batch(elements), std::move(step));
}

Expectation expect_batch(const dialogue::Message& message, const Value& batch,
                         const Traits& traits) {
  const bool is_contested = json::is_contested(batch);
  auto elements = elements_as_written(batch, is_contested, traits);
  const bool is_faulty =
      std::ranges::any_of(elements, [](const ExpectedResponse& each) { return each.is_faulty(); });
  auto expectation = expect_elements(message, is_contested, std::move(elements), traits);
  expectation.is_faulty = is_faulty;
  return expectation;
}

}  // namespace

std::vector<ExpectedResponse> expected_responses_to(const json::Value& batch,
                                                    const Traits& traits) {
  std::vector<ExpectedResponse> elements =
      elements_as_written(batch, json::is_contested(batch), traits);
  loosen_codes(elements);
  loosen_shared_ids(elements);
  return elements;
}

Expectation expectation_of(std::string_view text, const Traits& traits) {
  // Parsed once for this and for the judge, but for what is beyond the limits of replies.
  const dialogue::Message message{std::string(text)};
  const bool is_beyond = message.value() == nullptr && message.is_beyond_limits();
  const auto whole = is_beyond ? json::parse(text).value : std::nullopt;
  const Value* value = whole ? &*whole : message.value();
  Expectation expectation = [&] {
    if (value == nullptr) return expect_no_json(message, traits);
    if (value->is(Kind::array)) return expect_batch(message, *value, traits);
    auto single = expect_single(message, *value, traits);
    // What is neither Object nor Array is taken by some framings for no message at all.
    if (!value->is(Kind::object) && !single.open) {
      add_refusals(single.expected.steps.front().accept, traits, "ntf-invalid-answered");
    }
    return single;
  }();
  if (!expectation.open && is_beyond_limits(text, traits)) {
    expectation = open_expectation(message, expectation.kind, expectation.may_be_1_0);
  }
  if (traits.protocol && !has_message(*traits.protocol, text)) {
    const bool is_faulty = expectation.is_faulty;
    if (!expectation.open) {
      expectation = open_expectation(message, expectation.kind, expectation.may_be_1_0);
    }
    expectation.is_faulty = is_faulty;
    expectation.is_foreign = true;
  }
  if (traits.protocol) {
    auto& step = expectation.expected.steps.front();
    if (traits.protocol->law->profile.errors_without_id) corpus::allow_errors_without_id(step);
    expectation.waits_like = slow_call_in(*traits.protocol, text);
    step.slow = !expectation.waits_like.empty();
  }
  expectation.expected.id = "fuzz/finding";
  return expectation;
}

}  // namespace jrpcheck::fuzz
