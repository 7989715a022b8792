// Descriptions of targets: what cannot be read is a problem to the linter, and each problem names
// the file.
#include "targets/target.hpp"

#include "fuzz/targets/promise.hpp"
#include "targets/lint_targets.hpp"

using namespace jrpcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text = fuzz::text_of(bytes, size);
  const std::string path = "targets/fuzzed.json";
  fuzz::promise(targets::is_target_file(path, text), "what lies in targets/ describes one");
  static_cast<void>(targets::is_target_file("run/fuzzed.target.json", text));
  const auto target = targets::read_target(path, text);
  if (target) {
    fuzz::promise(target->name == "fuzzed", "a target has the name of its file", target->name);
  } else {
    fuzz::promise(target.error().message.find(path) != std::string::npos, "an error names the file",
                  target.error().message);
  }
  const auto is_there = [](const std::string&, const std::string& named) { return !named.empty(); };
  const auto problems =
      targets::lint_targets({{path, std::string(text)}}, {{"jsonrpc", "mcp"}, is_there});
  fuzz::promise(target || !problems.empty(), "what cannot be read is a problem to the linter",
                text);
  for (const auto& each : problems) {
    fuzz::promise(each.text().find("fuzzed") != std::string::npos, "a problem names the file",
                  each.text());
  }
  return 0;
}
