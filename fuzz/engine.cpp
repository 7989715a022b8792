#include "fuzz/engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include "base/failure.hpp"
#include "fuzz/mutate.hpp"
#include "transport/empty_folder.hpp"

extern "C" int LLVMFuzzerRunDriver(int* argc, char*** argv,
                                   int (*callback)(const std::uint8_t* data, std::size_t size));
// Tells libFuzzer of counters: an instrumented program calls it for each of its modules.
// NOLINTNEXTLINE(readability-identifier-naming): the name is the runtime's.
extern "C" void __sanitizer_cov_8bit_counters_init(std::uint8_t* begin, std::uint8_t* end);

namespace jrpcheck::fuzz {
namespace {

namespace fs = std::filesystem;

// libFuzzer reads these as coverage. Only written, they would be optimised away.
// Each that it is told of is looked at in every round: more than these would cost more than they
// tell, and those of edges are told of only where there are edges.
constexpr std::size_t kShapes = 2048;
constexpr std::size_t kEdges = 16384;
volatile std::uint8_t counters[kShapes + kEdges];

void tell_of_counters(bool has_edges) {
  auto* begin = const_cast<std::uint8_t*>(counters);
  __sanitizer_cov_8bit_counters_init(begin, begin + kShapes + (has_edges ? kEdges : 0));
}

constexpr std::size_t kMostBytes = 2048;

// What libFuzzer's callbacks reach, which take no context.
struct Running {
  Tester* tester = nullptr;
  const Vocabulary* vocabulary = nullptr;
  LastMade last;
  bool has_begun = false;  // to mutate: the seeds have been read
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  int returned = 0;
  std::string failure;  // of ours, which ends the campaign
};
Running* running = nullptr;

void finish(int returned) {
  const std::lock_guard lock(running->mutex);
  running->done = true;
  running->returned = returned;
  running->changed.notify_all();
}

// libFuzzer never returns: at its end it would end the program, with an exit code of its own. So it
// has a thread to itself, which is left standing here when the campaign is over. That must be in a
// mutator: when a program ends while its test runs, libFuzzer takes that for a crash.
[[noreturn]] void stand_still() {
  finish(0);
  for (;;) ::pause();
}

std::size_t counter_of(const Feature& feature) {
  return feature.is_edge ? kShapes + feature.number % kEdges : feature.number % kShapes;
}

// libFuzzer has set all of them to 0 before.
void show(const std::vector<Feature>& features) {
  counters[0] = 1;  // with no coverage at all libFuzzer gives up
  for (const Feature& feature : features) counters[counter_of(feature)] = feature.count;
}

// libFuzzer lets no exception through: after one the campaign is over.
bool is_over() { return !running->failure.empty() || running->tester->is_over(); }

int test_one(const std::uint8_t* data, std::size_t size) {
  if (!running->failure.empty()) return 0;
  running->failure = failure_of([&] {
    const std::string message(reinterpret_cast<const char*>(data), size);
    // It keeps of its seeds what brings something, so each has to show at once what that is.
    auto& tester = *running->tester;
    show(running->has_begun ? tester.feed(message) : tester.feed_alone(message));
  });
  return 0;
}

// Where libFuzzer ends the program itself (a flag that it does not know), the campaign has not
// ended, and its exit code would be read as a verdict.
void refuse_to_exit() {
  if (running == nullptr) return;
  {
    const std::lock_guard lock(running->mutex);
    if (running->done) return;
  }
  if (!running->failure.empty()) stand_still();  // who waits for the engine tells of that
  std::fputs("jrpcheck: libFuzzer has ended before the campaign was over\n", stderr);
  ::_exit(4);
}

std::size_t put(const std::string& message, std::uint8_t* data, std::size_t most) {
  const std::size_t size = std::min(message.size(), most);
  std::copy_n(message.data(), size, data);
  return size;
}

// What a mutator makes.
std::size_t made(const std::function<std::size_t()>& make) {
  std::size_t size = 0;
  running->failure = failure_of([&] { size = make(); });
  if (!running->failure.empty()) stand_still();
  return size;
}

// The seeds in files, and their names in one file, separated by commas, as libFuzzer takes them.
bool write_seeds(const std::vector<std::string>& seeds, const fs::path& folder,
                 const fs::path& list) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  std::string names;
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const fs::path path = folder / ("seed-" + std::to_string(i));
    std::ofstream out(path, std::ios::binary);
    out << seeds[i];
    if (!out) return false;
    names += (i == 0 ? "" : ",") + path.string();
  }
  std::ofstream out(list, std::ios::binary);
  out << names;
  return !failed && out;
}

// Its signal handlers, limits and timers would act on this whole program, which has its own.
std::vector<std::string> words_for(const EngineOptions& options, const std::string& seeds,
                                   const std::string& list) {
  std::vector<std::string> words = {
      "jrpcheck-fuzz",
      "-verbosity=0",
      "-timeout=0",
      "-rss_limit_mb=0",
      "-detect_leaks=0",
      "-len_control=0",
      "-reload=0",
      "-handle_segv=0",
      "-handle_bus=0",
      "-handle_abrt=0",
      "-handle_ill=0",
      "-handle_fpe=0",
      "-handle_int=0",
      "-handle_term=0",
      "-handle_xfsz=0",
      "-handle_usr1=0",
      "-handle_usr2=0",
      "-report_slow_units=1000000"};  // it would store each in the working directory
  words.push_back("-max_len=" + std::to_string(kMostBytes));
  // Its seed 0 means: a random one.
  words.push_back("-seed=" + std::to_string(options.seed % 4'000'000'000U + 1));
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  if (options.corpus_folder.empty()) {
    // Without any folder nothing is written, which would cost more than all the rest.
    words.push_back("-seed_inputs=@" + list);
  } else {
    // The first folder is where libFuzzer writes: never where the seeds are.
    words.push_back(options.corpus_folder);
    words.push_back(seeds);
  }
  return words;
}

}  // namespace

Result<bool> has_engine() { return true; }

Result<bool> run_engine(const EngineOptions& options, Tester& tester,
                        transport::Guardian& guardian) {
  const auto temporary = transport::EmptyFolder::make(guardian);
  if (!temporary) return temporary.error();
  const std::string seeds = (*temporary)->path() + "/seeds";
  const std::string list = (*temporary)->path() + "/list";
  if (!write_seeds(options.seeds, seeds, list)) {
    return Error{"the folder for temporary files, which TMPDIR names, cannot be written"};
  }
  std::error_code failed;
  if (!options.corpus_folder.empty()) fs::create_directories(options.corpus_folder, failed);
  if (failed) {
    return Error{"--corpus: " + options.corpus_folder + " cannot be made: " + failed.message()};
  }
  // Both outlive this function: the engine's thread still stands when the program ends.
  auto* words = new std::vector<std::string>(words_for(options, seeds, list));
  running = new Running();
  running->tester = &tester;
  running->vocabulary = &options.vocabulary;
  tell_of_counters(options.sees_edges);
  std::atexit(&refuse_to_exit);
  const auto drive = [words] {
    std::vector<char*> pointers;
    for (auto& word : *words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    int count = static_cast<int>(words->size());
    char** arguments = pointers.data();
    int returned = 0;
    // What it lacks itself.
    std::string failure =
        failure_of([&] { returned = LLVMFuzzerRunDriver(&count, &arguments, &test_one); });
    if (!failure.empty()) running->failure = std::move(failure);
    finish(returned);
  };
  running->failure = failure_of([&] { std::thread(drive).detach(); });
  if (!running->failure.empty()) finish(0);
  std::unique_lock lock(running->mutex);
  running->changed.wait(lock, [] { return running->done; });
  if (!running->failure.empty()) return Error{running->failure};
  if (!tester.is_over()) {
    return Error{"libFuzzer ended before the campaign was over, as it does where memory lacks"};
  }
  return true;
}

}  // namespace jrpcheck::fuzz

// What libFuzzer asks of a sanitizer's runtime, and warns of where there is none.
#if defined(__has_feature)
#define JRPCHECK_HAS_RUNTIME \
  (__has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer))
#elif defined(__SANITIZE_ADDRESS__)
#define JRPCHECK_HAS_RUNTIME 1
#else
#define JRPCHECK_HAS_RUNTIME 0
#endif
#if !JRPCHECK_HAS_RUNTIME
// NOLINTBEGIN(readability-identifier-naming): the names are the runtime's.
extern "C" {
int __sanitizer_acquire_crash_state() { return 1; }
void __sanitizer_print_stack_trace() {}
void __sanitizer_set_death_callback(void (*)()) {}
}
// NOLINTEND(readability-identifier-naming)
#endif

// In the same object as run_engine, so that a static library brings them along: libFuzzer's
// references to them are weak, and pull nothing in.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int seed) {
  using namespace jrpcheck::fuzz;
  if (is_over()) stand_still();
  running->has_begun = true;
  return made([&] {
    if (const auto promising = running->tester->take_promising()) {
      return put(*promising, data, most);
    }
    Random random(seed);
    const std::string_view message(reinterpret_cast<const char*>(data), size);
    // What is no message of the protocol is worth sending now and then.
    const bool is_picky = !random.one_in(6);
    const auto is_fit = [&](const std::string& text) {
      return text.size() <= most && (!is_picky || running->tester->is_worthwhile(text));
    };
    std::string changed = mutate_message(message, random, *running->vocabulary, running->last);
    for (int tries = 0; tries < 4 && !is_fit(changed); ++tries) {
      changed = mutate_message(message, random, *running->vocabulary, running->last);
    }
    return put(changed, data, most);
  });
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t most,
                                                 unsigned int seed) {
  using namespace jrpcheck::fuzz;
  if (is_over()) stand_still();
  return made([&] {
    Random random(seed);
    return put(
        cross_over({reinterpret_cast<const char*>(one), one_size},
                   {reinterpret_cast<const char*>(other), other_size}, random, running->last),
        out, most);
  });
}
