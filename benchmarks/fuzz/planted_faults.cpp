#include "benchmarks/fuzz/planted_faults.hpp"

#include <algorithm>

#include "reference-impl/deviations/deep.hpp"

namespace jrpcheck::benchmark {

namespace {

using namespace jrpcheck::reference;

constexpr Deviation kFaults[] = {
    {"planted-any-call", "res-always", kLines, "No call is answered: every engine's first seeds.",
     [] { return when([](const Seat& seat) { return seat.is_call(); }, unanswered); }},
    {"planted-one-bit", "id-echo", kLines,
     "A call whose id is the Number 9 loses it: one bit of a seed whose id is 1.",
     [] {
       return when([](const Seat& seat) { return seat.is_call() && seat.id() == "9"; }, without_id);
     }},
    {"planted-one-word", "res-always", kLines,
     "A call with an id or an argument that ends with e-7 is not answered: a word of the "
     "dictionary, put behind a digit.",
     [] {
       return when(
           [](const Seat& seat) {
             const auto ends_so = [](const std::string& text) { return text.ends_with("e-7"); };
             const auto arguments = seat.positional();
             return seat.is_call() &&
                    (ends_so(seat.id()) ||
                     (arguments && std::any_of(arguments->begin(), arguments->end(), ends_so)));
           },
           unanswered);
     }},
};

}  // namespace

std::span<const Deviation> planted_faults() { return kFaults; }

}  // namespace jrpcheck::benchmark
