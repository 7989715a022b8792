#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number_of.hpp"
#include "reports/evidence.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace {

using result::Run;
using result::RunVerdict;

constexpr std::string_view kLabel = "JSON-RPC 2.0";

bool is_as_known(const Run& run) { return run.baseline && run.baseline->holds(); }

// The verdict, and what stands in its way.
std::string message_of(const Run& run) {
  if (!run.interrupted.empty()) return "interrupted";
  if (run.verdict == RunVerdict::unreachable) return "unreachable";
  if (run.verdict == RunVerdict::not_json_rpc) return "no JSON-RPC";
  if (run.verdict == RunVerdict::partial) {
    const auto must = result::must_coverage(run);
    return fmt::format("partial, {} of {} must", must.exercised, must.applicable);
  }
  if (run.verdict == RunVerdict::conforms) return "conforms";
  std::size_t failed = 0;
  for (const auto& each : run.requirements) failed += each.verdict == result::Verdict::fail ? 1 : 0;
  return fmt::format("fails {}{}", number_of(failed, "requirement"),
                     is_as_known(run) ? ", known" : "");
}

struct Color {
  std::string_view name;  // as shields.io has it
  std::string_view code;
};

Color color_of(const Run& run) {
  if (!run.interrupted.empty() || !was_judged(run.verdict)) return {"lightgrey", "#666"};
  if (run.verdict == RunVerdict::fails && is_as_known(run)) return {"orange", "#a65b00"};
  constexpr Color kColors[] = {{"brightgreen", "#2c7a1f"}, {"blue", "#1f5f99"}, {"red", "#b3261e"}};
  return kColors[static_cast<std::size_t>(run.verdict)];  // in the order of RunVerdict
}

// Widths in a sans serif of 11 px, rounded up: textLength makes any font fit.
int width_of(std::string_view text) {
  double width = 0;
  for (const char c : text) {
    const bool narrow = std::string_view("fijlrt .-1").find(c) != std::string_view::npos;
    const bool wide = (c >= 'A' && c <= 'Z') || c == 'm' || c == 'w';
    width += narrow ? 4.8 : wide ? 8.2 : 6.9;
  }
  return static_cast<int>(std::lround(width));
}

}  // namespace

std::string render_badge(const Run& run) {
  const bool is_new_failure = run.verdict == RunVerdict::fails && !is_as_known(run);
  const nlohmann::ordered_json json = {{"schemaVersion", 1},
                                       {"label", kLabel},
                                       {"message", message_of(run)},
                                       {"color", color_of(run).name},
                                       {"isError", is_new_failure || !was_judged(run.verdict)}};
  return json.dump() + "\n";
}

std::string render_badge_svg(const Run& run) {
  constexpr int kPadding = 7;
  const std::string message = message_of(run);
  const int label_text = width_of(kLabel);
  const int message_text = width_of(message);
  const int left = label_text + 2 * kPadding;
  const int right = message_text + 2 * kPadding;
  return fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{label}: {message}">
<title>{label}: {message}</title>
<clipPath id="r"><rect width="{width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#3d4450"/><rect x="{left}" width="{right}" height="20" fill="{color}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">
<text x="{padding}" y="14" textLength="{label_text}">{label}</text>
<text x="{at}" y="14" textLength="{message_text}">{message}</text>
</g>
</svg>
)svg",
      fmt::arg("width", left + right), fmt::arg("left", left), fmt::arg("right", right),
      fmt::arg("label", kLabel), fmt::arg("message", escape_xml(message)),
      fmt::arg("color", color_of(run).code), fmt::arg("padding", kPadding),
      fmt::arg("label_text", label_text), fmt::arg("message_text", message_text),
      fmt::arg("at", left + kPadding));
}

}  // namespace jrpcheck::reports
