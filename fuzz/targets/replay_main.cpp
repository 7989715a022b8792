// Runs a target on files, with any compiler: `TARGET FILE|FOLDER...`. So the targets are built and
// run wherever the tests are, and an input that was found anywhere can be looked at.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/targets/promise.hpp"

// Only some targets have something to set up.
extern "C" [[gnu::weak]] int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool run(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "%s cannot be read\n", file.c_str());
    return false;
  }
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  // A block of exactly its size, so that a sanitizer sees every byte that is read beyond it.
  const std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[text.size()]);
  std::copy(text.begin(), text.end(), bytes.get());
  // Printed before, because a broken promise ends the program.
  std::fprintf(stderr, "%s\n", file.c_str());
  LLVMFuzzerTestOneInput(bytes.get(), text.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (LLVMFuzzerInitialize != nullptr && LLVMFuzzerInitialize(&argc, &argv) != 0) return 1;
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& file : files_in(argv[i])) {
      if (!run(file)) return 1;
      ++count;
    }
  }
  std::fprintf(stderr, "%zu inputs\n", count);
  return count == 0 ? 2 : 0;  // a replay of nothing has shown nothing
}
