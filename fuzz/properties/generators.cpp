#include "fuzz/properties/generators.hpp"

#include <algorithm>
#include <utility>

#include "fuzz/probe_capabilities.hpp"
#include "fuzz/properties/request_generators.hpp"
#include "json/parse.hpp"
#include "json/value.hpp"

namespace jrpcheck::properties {
namespace {

using rc::Gen;
using Texts = std::vector<Text>;

constexpr int kMostCalls = 4;
constexpr int kMostMessages = 5;
constexpr int kMostEdits = 4;
constexpr std::size_t kMostEdit = 2'000;

Gen<std::size_t> edit() {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, kMostEdit));
}

// One at least: a scenario that varies nothing shows nothing.
Gen<std::vector<std::size_t>> edits() {
  return rc::gen::apply(
      [](std::size_t first, std::vector<std::size_t> more) {
        more.insert(more.begin(), first);
        return more;
      },
      edit(), several(kMostEdits, edit()));
}

Gen<Text> text(Gen<Request> request) { return rc::gen::map(std::move(request), text_of); }

Gen<Scenario> alone(Gen<Text> message) {
  return rc::gen::apply(
      [](Text one, std::vector<std::size_t> places) {
        return Scenario{{std::move(one)}, {}, std::move(places)};
      },
      std::move(message), edits());
}

Gen<Scenario> with_other(Gen<Texts> messages, Gen<Text> other) {
  return rc::gen::apply(
      [](Texts list, Text one, std::size_t place) {
        return Scenario{std::move(list), {std::move(one)}, {place}};
      },
      std::move(messages), std::move(other), edit());
}

Gen<Texts> list_of(Gen<Text> one) {
  return rc::gen::map(std::move(one), [](Text text) { return Texts{std::move(text)}; });
}

// Ids of their own, however they are spelt, so that each answer tells which call it is of.
Texts told_apart(std::vector<Request> requests) {
  Texts texts;
  std::vector<json::Value> ids;
  long long next = 101;
  for (auto& request : requests) {
    auto id = json::parse(request.id).value.value();
    if (std::ranges::any_of(ids, [&](const auto& each) { return json::equal(each, id); })) {
      request.id = std::to_string(next++);
    }
    ids.push_back(std::move(id));
    texts.push_back(text_of(request));
  }
  return texts;
}

// Methods of which it is known what their result comes from: neither what stands before or beside
// the call changes it, nor how the call is spelt. That of another may tell of all that, such as the
// id (JSON-RPC 2.0 §5).
Words with_known_results(const Words& words) {
  Words some;
  for (const auto& method : words.methods) {
    for (const char* role : {"echo", "subtract", "sum"}) {
      if (method.role == role) some.methods.push_back(method);
    }
  }
  return some;
}

// One at least.
Gen<Texts> calls(const Words& words) {
  const auto one = call(Content::plain, with_known_results(words));
  return rc::gen::apply(
      [](Request first, std::vector<Request> more) {
        more.insert(more.begin(), std::move(first));
        return told_apart(std::move(more));
      },
      one, several(kMostCalls, one));
}

// Every other one is of the method that is known to take params by name, if there is one: of two
// members at least, so that there is an order.
Gen<Request> call_with_named_params(const Words& words) {
  const auto named = [](Gen<Request> request, Gen<Text> params) {
    return rc::gen::apply(
        [](Request one, Text object) {
          one.params = std::move(object);
          return one;
        },
        std::move(request), std::move(params));
  };
  const auto known = with_known_results(words);
  auto any = named(call(Content::plain, known), object_with_several_members());
  Words subtracting;
  for (const auto& method : known.methods) {
    if (method.role == "subtract") subtracting.methods.push_back(method);
  }
  if (subtracting.methods.empty()) return any;
  return choose<Request>({named(call_of(subtracting.methods.front()), named_number_pair()), any});
}

Gen<Scenario> conversation(const Words& words) {
  return rc::gen::map(several(kMostMessages, any_message(words)), [](Texts messages) {
    if (messages.empty()) messages.emplace_back("{}");
    return Scenario{std::move(messages), {}, {}};
  });
}

// About what buffers hold: a byte less, as much, and a byte more.
std::vector<Scenario> all_lengths(const Words& words) {
  std::vector<Scenario> all;
  const auto echo = std::ranges::find(words.methods, "echo", &KnownMethod::role);
  if (echo == words.methods.end()) return all;
  const Text call = R"({"jsonrpc":"2.0","method":)" + json::write(json::Value::string(echo->name)) +
                    R"(,"params":[")" + std::string(kEchoedText) + R"("],"id":1})";
  for (const std::size_t bytes : {4096U, 8192U, 16384U, 65536U}) {
    for (const std::size_t length : {bytes - 1, bytes, bytes + 1}) {
      for (const std::size_t is_of_answer : {0U, 1U}) {
        all.push_back({{call}, {}, {length, is_of_answer}});
      }
    }
  }
  return all;
}

}  // namespace

Words words_from(const fuzz::Capabilities& capabilities) {
  Words words{.probes = capabilities.probes};
  for (const auto& binding : capabilities.roles) {
    const auto& [role, method] = binding;
    if (role == "state-set" || role == "state-get" || role == "slow") continue;
    const bool known = std::any_of(words.methods.begin(), words.methods.end(),
                                   [&](const auto& each) { return each.name == binding.second; });
    if (!known) words.methods.push_back({method, role});
  }
  return words;
}

std::vector<Scenario> all_scenarios(Material material, const Words& words) {
  if (material == Material::length) return all_lengths(words);
  std::vector<Scenario> all;
  if (material != Material::probe) return all;
  for (const auto& probe : words.probes) all.push_back({{probe}});
  return all;
}

Gen<Scenario> scenarios(Material material, const Words& words) {
  const auto plain = text(call(Content::plain, with_known_results(words)));
  switch (material) {
    case Material::call:
      return alone(text(call(Content::any, words)));
    case Material::plain_call:
      return alone(plain);
    case Material::call_and_id:
      return with_other(list_of(plain), id_text(Content::plain));
    case Material::call_with_named_params:
      return alone(text(call_with_named_params(words)));
    case Material::call_and_notification:
      return with_other(list_of(text(call(Content::plain, words))),
                        text(notification(Content::any, words)));
    case Material::invalid:
      return alone(invalid_request(words));
    case Material::broken:
      return alone(broken_text(words));
    case Material::batch:
      return alone(batch(words));
    case Material::calls:
      return rc::gen::map(calls(words), [](Texts list) {
        return Scenario{std::move(list), {}, {}};
      });
    case Material::calls_and_notification:
      return with_other(calls(words), text(notification(Content::plain, words)));
    case Material::calls_and_invalid:
      return with_other(calls(words), invalid_element(words));
    case Material::call_and_anything:
      return with_other(list_of(plain), any_message(words));
    case Material::probe:
    case Material::length:
    case Material::conversation:
      break;
  }
  return conversation(words);
}

}  // namespace jrpcheck::properties
