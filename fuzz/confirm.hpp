// A suspicion is confirmed by sending its message again, and reduced to the smallest messages that
// still show it.
#pragma once

#include <cstddef>
#include <optional>

#include "fuzz/repeater.hpp"

namespace jrpcheck::fuzz {

struct Confirmation {
  enum class Outcome {
    always,        ///< each time, after `suspicion.before` where that is not empty
    after_itself,  ///< whenever the same message has been sent just before it
    at_times,      ///< `shown` times, which may be none
  };
  Outcome outcome = Outcome::at_times;
  Suspicion suspicion;
  std::size_t shown = 0;  ///< of `tries` times
  std::size_t tries = 0;  ///< fewer where an interruption cut one short
};

/// Sends the message again, by itself and then after the messages that were sent `before` it.
Confirmation confirm(Suspicion suspicion, const Messages& before, Repeater& repeater);

/// Sends a message that has looked wrong before, and never when it was sent again, until it has
/// shown the same a few times, or that is unlikely. It counts where one reply came: whichever of
/// the tries it answers, they are the same. So silence never counts, and is not tried.
Confirmation insist(Suspicion suspicion, Repeater& repeater);

/// Some faults show only in what an earlier message has left behind. Puts the fewest of `before`
/// that make it show into the suspicion; false where not even all of them do.
bool find_before(Suspicion& suspicion, const Messages& before, Repeater& repeater);

/// The message itself, or the latest of `before`, that ends the server each time that it is sent
/// alone, maybe a moment after its answer: what came behind it met a server that was going down.
std::optional<Suspicion> find_fatal(const Suspicion& death, const Messages& before,
                                    Repeater& repeater);

/// The latest call of `before`, with the id of one of these Responses, that is answered once more,
/// each time, a moment after its answer.
std::optional<Suspicion> find_answered_again(const std::vector<dialogue::Message>& came,
                                             const Messages& before, Repeater& repeater);

/// Whether the message shows the fault every time that the same has been sent just before it, and
/// never otherwise.
bool shows_after_itself(const std::string& message, const Suspicion& suspicion, Repeater& repeater);

/// What is not answered, with a plain call in the place of the element of its batch, or with a
/// plain id: where that is not answered either, nobody trips over what the element is, or over its
/// id. Else the suspicion itself.
Suspicion made_plain(Suspicion suspicion, Repeater& repeater);

/// An element of a batch of which something is not answered, where it is not answered alone either:
/// that is all there is to it, and nothing of the batch has to be reduced.
std::optional<Suspicion> find_unanswered_element(const Suspicion& suspicion, Repeater& repeater);

/// The first element of a batch that shows a fault of its own when it is sent alone.
std::optional<Suspicion> find_element_at_fault(const Suspicion& suspicion, Repeater& repeater);

/// Reduces the message, and then those that have to come before it. Where time or exchanges run out
/// it is as small as it has become.
Suspicion reduced(Suspicion suspicion, Repeater& repeater);

/// The same for a message that shows the fault after itself.
Suspicion reduced_with_itself(Suspicion suspicion, Repeater& repeater);

}  // namespace jrpcheck::fuzz
