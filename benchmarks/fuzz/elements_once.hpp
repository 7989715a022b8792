// The elements of a message for all the faults that are watched: they ask for the same ones, one
// after the other, and to read them again each time would cost more than everything else.
#pragma once

namespace jrpcheck::benchmark {

/// Before each input, so that the same one always runs through the same code: an engine takes it
/// for unstable else.
void forget_elements();

}  // namespace jrpcheck::benchmark
