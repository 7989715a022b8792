// Writes the seeds of handlers, which are the messages of the corpus: `fuzz-handler-seeds FOLDER`
// makes FOLDER/handler. A program of its own, and linked to no more than it takes: whoever builds a
// first fuzzer waits for it.
#include <cstdio>

#include "corpus/corpus.hpp"
#include "fuzz/targets/seed_bindings.hpp"
#include "fuzz/targets/seed_writer.hpp"

namespace {

using namespace jrpcheck;

bool write_seeds(const char* folder) {
  const auto corpus = corpus::assemble(corpus::embedded_files(), {});
  if (!corpus) {
    std::fprintf(stderr, "%s\n", corpus.error().message.c_str());
    return false;
  }
  fuzz::SeedWriter seeds(folder);
  for (const auto& one : corpus->cases) {
    if (const auto bound = corpus::bind(one, fuzz::seed_bindings()))
      seeds.add_messages("handler", *bound);
  }
  return seeds.complete();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz-handler-seeds FOLDER\n");
    return 2;
  }
  return write_seeds(argv[1]) ? 0 : 1;
}
