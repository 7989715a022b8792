#include "benchmarks/fuzz/planted_faults.hpp"

#include "reference-impl/mutants/deep.hpp"

namespace jrpcheck::benchmark {

namespace {

using namespace jrpcheck::reference;

const Mutant kFaults[] = {
    {"planted-any-call", breaks("res-always"), kLines,
     "No call is answered: every engine's first seeds.",
     when([](const Seat& seat) { return seat.is_call(); }, unanswered)},
    {"planted-word-in-broken-text", breaks("rob-survives"), kLines,
     "What is no JSON and has \"Connection: \" in it ends the server: a word of the dictionary, "
     "anywhere.",
     Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
       if (message.find("Connection: ") != std::string_view::npos && !is_json(message)) {
         throw Catastrophe{Catastrophe::Manner::exit};
       }
       return proper(message);
     }}},
    {"planted-one-bit", breaks("id-echo"), kLines,
     "A call whose id is the Number 9 loses it: one bit of a seed whose id is 1.",
     when([](const Seat& seat) { return seat.is_call() && seat.id() == "9"; }, without_id)},
};

}  // namespace

std::span<const Mutant> planted_faults() { return kFaults; }

}  // namespace jrpcheck::benchmark
