// Stored runs: what can be read is written as every report, and reads the same again.
#include <string>

#include "fuzz/targets/promise.hpp"
#include "json/parse.hpp"
#include "reports/report.hpp"
#include "reports/run_reader.hpp"

using namespace jrpcheck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto run = reports::read_run("fuzzed.json", fuzz::text_of(bytes, size));
  if (!run) {
    fuzz::promise(run.error().message.find("fuzzed.json") != std::string::npos,
                  "an error names the file", run.error().message);
    return 0;
  }
  const std::string written = reports::render_json(*run);
  const auto again = reports::read_run("written.json", written);
  fuzz::promise(static_cast<bool>(again), "what is written can be read",
                again ? "" : again.error().message + "\n" + written);
  fuzz::promise(reports::render_json(*again) == written, "a run that is read again is the same",
                written);
  for (const auto& format : reports::kFormats) {
    fuzz::promise(!format.render(*run).empty(), "every report can be written", format.name);
  }
  return 0;
}
