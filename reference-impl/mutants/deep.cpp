#include "reference-impl/mutants/deep.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <mutex>

namespace jrpcheck::reference {

namespace {

/// What `change` makes of a Response; what is none stays.
template <typename Change>
Reply changed(const Reply& proper, Change change) {
  if (!proper) return proper;
  auto response = object_of(*proper);
  if (!response) return proper;
  change(*response);
  return response->text();
}

}  // namespace

bool is_number(const std::string& text) {
  return !text.empty() &&
         (text.front() == '-' || std::isdigit(static_cast<unsigned char>(text[0])));
}

bool has_fraction(const std::string& text) {
  return is_number(text) && text.find('.') != std::string::npos;
}

bool has_exponent(const std::string& text) {
  return is_number(text) && text.find_first_of("eE") != std::string::npos;
}

bool has_unicode_escape(std::string_view text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '\\') continue;
    if (text[at + 1] == 'u') return true;
    ++at;
  }
  return false;
}

std::string Seat::id() const {
  const std::string* id = element.object ? element.object->find("id") : nullptr;
  return id != nullptr ? *id : "";
}

bool Seat::has_number_id() const { return is_number(id()); }

bool Seat::is_call() const {
  const std::string given = id();
  if (given != "null" && !is_string(given) && !is_number(given)) return false;
  ElementText without = element;
  without.object->remove("id");
  return without.is_notification();
}

std::optional<ObjectText> Seat::named() const {
  const std::string* params = element.params();
  return params != nullptr ? object_of(*params) : std::nullopt;
}

std::optional<std::vector<std::string>> Seat::positional() const {
  const std::string* params = element.params();
  if (params == nullptr || !is_array(*params)) return std::nullopt;
  return elements_of(*params);
}

bool Seat::has_null_by_name() const {
  const auto params = named();
  return params && std::any_of(params->members.begin(), params->members.end(),
                               [](const auto& each) { return each.second == "null"; });
}

Behaviour when(bool (*applies)(const Seat& seat),
               Reply (*otherwise)(const Seat& seat, const Reply& proper)) {
  return {.reply = [=](std::string_view message, const ProperReply& proper) -> Reply {
    const auto elements = elements_in(message);
    const bool in_batch = !elements.empty() && is_array(message);
    std::vector<std::string> replies;
    bool any = false;
    for (std::size_t at = 0; at < elements.size(); ++at) {
      const Seat seat{elements[at], at, in_batch};
      Reply reply = proper(in_batch ? "[" + seat.element.text + "]" : seat.element.text);
      if (reply && in_batch) reply = elements_of(*reply).front();
      if (applies(seat)) {
        any = true;
        reply = otherwise(seat, reply);
      }
      if (!in_batch && any) return reply;
      if (reply) replies.push_back(*reply);
    }
    if (!any) return proper(message);
    return replies.empty() ? Reply() : Reply(array_of(replies));
  }};
}

Behaviour when_batch(bool (*applies)(const Elements& elements),
                     Reply (*otherwise)(const Elements& elements, const Reply& proper)) {
  return {.reply = [=](std::string_view message, const ProperReply& proper) -> Reply {
    const auto elements = elements_in(message);
    if (elements.empty() || !is_array(message) || !applies(elements)) return proper(message);
    return otherwise(elements, proper(message));
  }};
}

Mutation armed_by(bool (*arms)(const Elements& elements, std::string_view message),
                  bool (*meets)(const Elements& elements, std::string_view message),
                  Reply (*otherwise)(const Elements& elements, const Reply& proper)) {
  struct State {
    std::mutex mutex;
    bool is_armed = false;
  };
  return Mutation([=] {
    const auto state = std::make_shared<State>();
    return Behaviour{.reply = [=](std::string_view message, const ProperReply& proper) -> Reply {
      const Elements elements = elements_in(message);
      Reply reply = proper(message);
      const std::lock_guard lock(state->mutex);
      if (state->is_armed && meets(elements, message)) {
        state->is_armed = false;
        return otherwise(elements, reply);
      }
      state->is_armed = state->is_armed || arms(elements, message);
      return reply;
    }};
  });
}

bool is_single(const Elements& elements, std::string_view message) {
  return !elements.empty() && !is_array(message);
}

Seat alone(const Elements& elements) { return {elements.front(), 0, false}; }

Reply unanswered(const Seat&, const Reply&) { return std::nullopt; }

Reply death(const Seat&, const Reply&) { throw Catastrophe{Catastrophe::Manner::exit}; }

Reply with_id_text(const Reply& proper, const std::string& id) {
  return changed(proper, [&](ObjectText& response) { response.set("id", id); });
}

Reply without_id(const Seat&, const Reply& proper) { return with_id_text(proper, "null"); }

Reply both_members(const Seat&, const Reply& proper) {
  return changed(proper, [](ObjectText& response) {
    if (response.has("error")) {
      response.add("result", "null");
    } else {
      response.add("error", R"({"code":-32603,"message":"Internal error"})");
    }
  });
}

Reply with_error(const Reply& proper, const Edit& edit) {
  auto response = proper ? object_of(*proper) : std::nullopt;
  const std::string* error = response ? response->find("error") : nullptr;
  if (error == nullptr) return proper;
  ObjectText edited = *object_of(*error);
  edit(edited);
  response->set("error", edited.text());
  return response->text();
}

Reply without_last(const Elements&, const Reply& proper) {
  if (!proper || !is_array(*proper)) return proper;
  auto replies = elements_of(*proper);
  replies.pop_back();
  return replies.empty() ? Reply() : Reply(array_of(replies));
}

Reply answered_all_the_same(const Seat&, const Reply&) {
  return R"({"jsonrpc":"2.0","result":null,"id":null})";
}

}  // namespace jrpcheck::reference
