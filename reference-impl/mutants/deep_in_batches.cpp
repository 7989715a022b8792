// Deep faults in a batch: what stands where, and beside what.
#include <algorithm>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/deep.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kMany = 12;

Seat seat_of(const ElementText& element) { return {element, 0, true}; }

std::string id_of(const ElementText& element) { return seat_of(element).id(); }

bool is_call(const ElementText& element) { return seat_of(element).is_call(); }

bool is_silent(const ElementText& element) { return element.is_notification(); }

std::size_t count(const Elements& elements, bool (*predicate)(const ElementText&)) {
  return static_cast<std::size_t>(std::count_if(elements.begin(), elements.end(), predicate));
}

/// Whether `predicate` holds of an element and one after it.
template <typename Predicate>
bool any_two(const Elements& elements, Predicate predicate) {
  // The pairs of a long batch would take seconds, which is another fault.
  constexpr std::size_t kLongest = 200;
  if (elements.size() > kLongest) return false;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (std::size_t j = i + 1; j < elements.size(); ++j) {
      if (predicate(elements[i], elements[j])) return true;
    }
  }
  return false;
}

bool is_invalid_with_id(const ElementText& element) {
  const Seat seat = seat_of(element);
  return element.has("id") && !is_call(element) && (seat.has_string_id() || seat.has_number_id());
}

Reply silence(const Elements&, const Reply&) { return std::nullopt; }

Reply first_alone(const Elements&, const Reply& proper) {
  return proper && is_array(*proper) ? Reply(elements_of(*proper).front()) : proper;
}

}  // namespace

std::span<const Mutant> deep_faults_in_batches() {
  static const Mutant all[] = {
      {"deep-number-and-text-twins", breaks("bat-each").wherever_it_strikes(), kLines,
       "When a batch with a Notification has two calls with ids as 7 and \"7\", the last reply is "
       "lost.",
       when_batch(
           [](const Elements& elements) {
             if (count(elements, is_silent) == 0) return false;
             return any_two(elements, [](const ElementText& one, const ElementText& other) {
               const std::string a = id_of(one);
               const std::string b = id_of(other);
               return is_call(one) && is_call(other) && (encoded(a) == b || a == encoded(b));
             });
           },
           without_last)},
      {"deep-id-by-name-and-by-position", breaks("bat-duplicate-ids").wherever_it_strikes(), kLines,
       "When two calls in a batch share an id, and one has params by name and one by position, the "
       "last reply is lost.",
       when_batch(
           [](const Elements& elements) {
             return any_two(elements, [](const ElementText& one, const ElementText& other) {
               if (!is_call(one) || !is_call(other) || id_of(one) != id_of(other)) return false;
               const Seat a = seat_of(one);
               const Seat b = seat_of(other);
               return (a.named() && b.positional()) || (a.positional() && b.named());
             });
           },
           without_last)},
      {"deep-silent-first-invalid-later", breaks("bat-invalid-member").wherever_it_strikes(),
       kLines,
       "When a Notification comes first in a batch and an invalid Request with an id after it, the "
       "last reply is lost.",
       when_batch(
           [](const Elements& elements) {
             return is_silent(elements.front()) && count(elements, is_invalid_with_id) > 0;
           },
           without_last)},
      {"deep-empty-array-last", breaks("bat-nested").wherever_it_strikes(), kLines,
       "A batch with a call that ends with an empty Array is not answered.",
       when_batch(
           [](const Elements& elements) {
             const std::string& last = elements.back().text;
             return count(elements, is_call) > 0 && is_array(last) && elements_of(last).empty();
           },
           silence)},
      {"deep-three-silent-by-name", breaks("bat-all-notifications"), kLines,
       "A batch of three Notifications or more is answered with an empty Array when the last has "
       "params by name.",
       when_batch(
           [](const Elements& elements) {
             return elements.size() > 2 && count(elements, is_silent) == elements.size() &&
                    seat_of(elements.back()).named().has_value();
           },
           [](const Elements&, const Reply&) { return Reply("[]"); })},
      {"deep-fraction-third", breaks("id-fraction").wherever_it_strikes(), kLines,
       "A Number as id with a fraction loses it from the third place of a batch on.",
       when(
           [](const Seat& seat) {
             return seat.in_batch && seat.at > 1 && seat.is_call() && has_fraction(seat.id());
           },
           [](const Seat& seat, const Reply& proper) {
             const std::string id = seat.id();
             return with_id_text(proper, id.substr(0, id.find('.')));
           })},
      {"deep-batch-after-space", breaks("bat-array"), kLines,
       "Of a batch with white space before it that has a Notification only the first reply comes, "
       "outside an Array.",
       Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         const Elements elements = elements_in(message);
         Reply reply = proper(message);
         if (elements.empty() || message.front() != ' ' || !is_array(message) ||
             count(elements, is_silent) == 0) {
           return reply;
         }
         return first_alone(elements, reply);
       }}},
      {"deep-escaped-version-in-batch", breaks("bat-each").wherever_it_strikes(), kLines,
       "A call in a batch whose version is written with an escape is refused.",
       when(
           [](const Seat& seat) {
             return seat.in_batch && seat.is_call() &&
                    has_unicode_escape(*seat.element.object->find("jsonrpc"));
           },
           [](const Seat& seat, const Reply&) {
             return Reply(error_text(-32600, "Invalid Request", seat.id()));
           })},
      {"deep-empty-id-among-many", breaks("bat-each").wherever_it_strikes(), kLines,
       "A call with an empty String as id in a batch of twelve elements or more is not answered.",
       when_batch(
           [](const Elements& elements) {
             return elements.size() >= kMany &&
                    std::any_of(elements.begin(), elements.end(), [](const ElementText& each) {
                      return is_call(each) && id_of(each) == "\"\"";
                    });
           },
           without_last)},
      {"deep-the-same-thrice", breaks("bat-duplicate-ids").wherever_it_strikes(), kLines,
       "When a call stands three times in a batch, the last reply is lost.",
       when_batch(
           [](const Elements& elements) {
             return std::any_of(elements.begin(), elements.end(), [&](const ElementText& one) {
               return is_call(one) && std::count_if(elements.begin(), elements.end(),
                                                    [&](const ElementText& other) {
                                                      return other.text == one.text;
                                                    }) > 2;
             });
           },
           without_last)},
      {"deep-nul-second", breaks("id-string-exact").wherever_it_strikes(), kLines,
       "A String as id ends at U+0000 from the second place of a batch on.",
       when(
           [](const Seat& seat) {
             return seat.in_batch && seat.at > 0 && seat.is_call() && seat.has_string_id() &&
                    decoded(seat.id()).find('\0') != std::string::npos;
           },
           [](const Seat& seat, const Reply& proper) {
             const std::string id = decoded(seat.id());
             return with_id_text(proper, encoded(id.substr(0, id.find('\0'))));
           })},
      {"deep-reserved-name-in-batch", breaks("ntf-silent-in-batch").wherever_it_strikes(), kLines,
       "A Notification in a batch whose method begins with rpc. and that has params is answered.",
       when(
           [](const Seat& seat) {
             return seat.in_batch && seat.is_notification() && seat.element.has("params") &&
                    seat.element.method().starts_with("rpc.");
           },
           answered_all_the_same)},
  };
  return all;
}

}  // namespace jrpcheck::reference
