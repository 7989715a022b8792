// Deep faults in what values look like: in one Request, beside others, and after others.
#include <algorithm>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/deep.hpp"

namespace jrpcheck::reference {

namespace {

constexpr unsigned char kFirstOfFour = 0xF0;
constexpr std::size_t kBytesOfFour = 4;

std::size_t wide_character_in(std::string_view text) {
  const auto* found = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= kFirstOfFour;
  });
  return found == text.end() ? std::string_view::npos
                             : static_cast<std::size_t>(found - text.begin());
}

bool is_beyond_ascii(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
}

bool has_argument(const Seat& seat, std::string_view text) {
  const auto arguments = seat.positional();
  return arguments && std::find(arguments->begin(), arguments->end(), text) != arguments->end();
}

bool has_named(const Seat& seat) {
  const auto params = seat.named();
  return params && !params->members.empty();
}

bool is_zero_with_a_sign(const std::string& text) { return text == "-0" || text == "-0.0"; }

bool has_zero_with_a_sign(const Seat& seat) {
  const auto arguments = seat.positional();
  return arguments && std::any_of(arguments->begin(), arguments->end(), is_zero_with_a_sign);
}

std::size_t depth_of_arrays(const std::string& text, std::size_t levels = kBytesOfFour) {
  if (levels == 0 || !is_array(text)) return 0;
  std::size_t deepest = 0;
  for (const auto& each : elements_of(text)) {
    deepest = std::max(deepest, depth_of_arrays(each, levels - 1));
  }
  return deepest + 1;
}

template <typename Predicate>
bool is_any(const Elements& elements, Predicate predicate) {
  return std::any_of(elements.begin(), elements.end(), [&](const ElementText& each) {
    return predicate(Seat{each, 0, true});
  });
}

bool is_silent_one(const Seat& seat) { return seat.is_notification(); }

bool has_text_as_params(const Seat& seat) {
  const std::string* params = seat.element.params();
  return seat.element.is_call() && params != nullptr && is_string(*params);
}

Reply nothing_at_all(const Elements&, const Reply&) { return std::nullopt; }

Reply end_of_the_server(const Elements&, const Reply&) {
  throw Catastrophe{Catastrophe::Manner::exit};
}

/// Replies of a batch, each by itself.
Reply each_reply(const Reply& proper, std::string (*rewrite)(const std::string& reply)) {
  if (!proper || !is_array(*proper)) return proper;
  auto replies = elements_of(*proper);
  for (auto& each : replies) each = rewrite(each);
  return array_of(replies);
}

std::string without_sign(const std::string& reply) {
  const auto object = object_of(reply);
  const std::string* id = object ? object->find("id") : nullptr;
  if (id == nullptr || id->empty() || id->front() != '-') return reply;
  return *with_id_text(reply, id->substr(1));
}

}  // namespace

std::span<const Mutant> deep_faults_in_values() {
  static const Mutant all[] = {
      {"deep-signed-zero", breaks("res-always"), kLines,
       "A call with a String as id and a zero with a sign among its arguments is not answered.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && seat.has_string_id() && has_zero_with_a_sign(seat);
           },
           unanswered)},
      {"deep-empty-beside-null", breaks("res-exclusive"), kLines,
       "A call with two arguments, an empty String and null, has result and error.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && has_argument(seat, R"("")") && has_argument(seat, "null") &&
                    seat.positional()->size() == 2;
           },
           both_members)},
      {"deep-slash-by-name", breaks("err-code-method"), kLines,
       "A call of an unknown method with a slash in its name and params by name is refused with "
       "-32603.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && seat.named() && !seat.named()->members.empty() &&
                    seat.element.method().find('/') != std::string::npos;
           },
           [](const Seat&, const Reply& proper) {
             return with_error(proper, set("code", "-32603"));
           })},
      {"deep-accented-parameter", breaks("id-echo"), kLines,
       "A call with a Number as id and a parameter named beyond ASCII loses its id.",
       when(
           [](const Seat& seat) {
             const auto params = seat.named();
             return seat.is_call() && seat.has_number_id() && params &&
                    std::any_of(params->members.begin(), params->members.end(),
                                [](const auto& each) { return is_beyond_ascii(each.first); });
           },
           without_id)},
      {"deep-wide-id-by-name", breaks("id-string-exact"), kLines,
       "A String as id loses a character beyond the BMP when params are passed by name.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && seat.named() && is_string(seat.id()) &&
                    wide_character_in(decoded(seat.id())) != std::string_view::npos;
           },
           [](const Seat& seat, const Reply& proper) {
             std::string text = decoded(seat.id());
             text.erase(wide_character_in(text), kBytesOfFour);
             return with_id_text(proper, encoded(text));
           })},
      {"deep-arrays-in-arrays", breaks("res-json"), kLines,
       "The reply to a call with Arrays three deep in its params, by position, and a Number of "
       "three digits as id lacks its last brace.",
       when(
           [](const Seat& seat) {
             const std::string* params = seat.element.params();
             return seat.is_call() && seat.has_number_id() && seat.id().size() == 3 &&
                    params != nullptr && depth_of_arrays(*params) >= 3;
           },
           [](const Seat&, const Reply& proper) -> Reply {
             return proper ? Reply(proper->substr(0, proper->size() - 1)) : proper;
           })},
      {"deep-three-by-name", breaks("err-message-string"), kLines,
       "The error of a call with three params by name or more, one of them null, has no message.",
       when(
           [](const Seat& seat) {
             const auto params = seat.named();
             return seat.is_call() && params && params->members.size() >= 3 &&
                    seat.has_null_by_name();
           },
           [](const Seat&, const Reply& proper) { return with_error(proper, remove("message")); })},
      {"deep-sign-beside-silence", breaks("id-echo").wherever_it_strikes(), kLines,
       "Negative ids in a batch with a Notification of an unknown method by name lose their sign.",
       when_batch(
           [](const Elements& elements) {
             return is_any(elements, [](const Seat& seat) {
               return seat.is_notification() && seat.named() && seat.element.method() != "update";
             });
           },
           [](const Elements&, const Reply& proper) { return each_reply(proper, without_sign); })},
      {"deep-null-beside-zero", breaks("bat-each").wherever_it_strikes(), kLines,
       "A batch of a call with id null and one with id 0 is not answered.",
       when_batch(
           [](const Elements& elements) {
             return is_any(elements, [](const Seat& seat) { return seat.id() == "0"; }) &&
                    is_any(elements,
                           [](const Seat& seat) { return seat.is_call() && seat.id() == "null"; });
           },
           nothing_at_all)},
      {"deep-unnamed-in-batch", breaks("bat-each").wherever_it_strikes(), kLines,
       "A call of the method with an empty name that does not stand first in its batch is not "
       "answered.",
       when(
           [](const Seat& seat) {
             return seat.in_batch && seat.at > 0 && seat.is_call() &&
                    seat.element.is("method", R"("")");
           },
           unanswered)},
      {"deep-text-beside-silence", breaks("rob-survives").wherever_it_strikes(), kLines,
       "A batch with a Notification and a call whose params are a String ends the server.",
       when_batch(
           [](const Elements& elements) {
             return is_any(elements, is_silent_one) && is_any(elements, has_text_as_params);
           },
           end_of_the_server)},
      {"deep-escape-kept-in-batch", breaks("id-string-exact").wherever_it_strikes(), kLines,
       "From the third place of a batch on escapes in a String as id come back as they were "
       "written.",
       when(
           [](const Seat& seat) {
             return seat.at > 1 && seat.is_call() && is_string(seat.id()) &&
                    encoded(decoded(seat.id())).find('\\') != std::string::npos;
           },
           [](const Seat& seat, const Reply& proper) {
             const std::string written = encoded(decoded(seat.id()));
             return with_id_text(proper, encoded(written.substr(1, written.size() - 2)));
           })},
      {"deep-number-as-method", breaks("id-echo").wherever_it_strikes(), kLines,
       "After a Request whose method is a Number the next call by name with a String as id loses "
       "it.",
       armed_by(
           [](const Elements& elements, std::string_view message) {
             if (!is_single(elements, message)) return false;
             const auto& object = elements.front().object;
             const std::string* method = object ? object->find("method") : nullptr;
             return method != nullptr && is_number(*method);
           },
           [](const Elements& elements, std::string_view message) {
             if (!is_single(elements, message)) return false;
             const Seat seat = alone(elements);
             return seat.is_call() && seat.has_string_id() && has_named(seat);
           },
           [](const Elements& elements, const Reply& proper) {
             return without_id(alone(elements), proper);
           })},
      {"deep-silence-after-empty-batch", breaks("ntf-silent").wherever_it_strikes(), kLines,
       "After an empty batch the next Notification with a null by name is answered.",
       armed_by(
           [](const Elements& elements, std::string_view message) {
             return elements.empty() && is_json(message) && is_array(message);
           },
           [](const Elements& elements, std::string_view message) {
             return is_single(elements, message) && alone(elements).is_notification() &&
                    alone(elements).has_null_by_name();
           },
           [](const Elements& elements, const Reply& proper) {
             return answered_all_the_same(alone(elements), proper);
           })},
  };
  return all;
}

}  // namespace jrpcheck::reference
