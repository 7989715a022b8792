// Defects and odd ways of a server that answers by event streams.
#include <cstddef>
#include <string>
#include <vector>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using Events = std::vector<std::string>;

constexpr auto kBothSse = static_cast<Transports>(kSse | kSseEndpoint);

bool has_result(const Events& events) {
  return !events.empty() && events.front().find("\"result\"") != std::string::npos;
}

/// Streams that hold a result, which those of calls of unknown methods do not.
Behaviour results_as(void (*edit)(Events& events)) {
  return {.events = {.edit = [edit](Events& events) {
            if (has_result(events)) edit(events);
          }}};
}

/// Each event is edited by itself.
Behaviour events_as(std::string (*edit)(const std::string& event)) {
  return {.events = {.edit = [edit](Events& events) {
            for (auto& each : events) each = edit(each);
          }}};
}

/// Streams that break off, and what a GET brings then.
Behaviour resuming_by(Events (*resumed)(const std::vector<Events>& streams, std::size_t stream,
                                        std::size_t event)) {
  return {.events = {.breaks_off = true, .resumed = resumed}};
}

Events nothing(const std::vector<Events>&, std::size_t, std::size_t) { return {}; }

Events all_of_it(const std::vector<Events>& streams, std::size_t stream, std::size_t) {
  return stream < streams.size() ? streams[stream] : Events();
}

Events those_of_another(const std::vector<Events>& streams, std::size_t stream, std::size_t) {
  if (streams.empty()) return {};
  const Events& other = streams[stream > 0 && stream < streams.size() ? stream - 1 : 0];
  return {other.back()};
}

}  // namespace

std::span<const Mutant> event_stream_faults() {
  static const Mutant all[] = {
      {"sse-two-messages-in-an-event",
       breaks("sse-event-json").perhaps("res-json", "res-always", "sse-response-present"), kBothSse,
       "The event of a result holds it twice.", results_as([](Events& events) {
         std::string& event = events.front();
         const std::string data = event.substr(event.find("data:"));
         event.pop_back();
         event += data;
       })},
      {"sse-says-when-it-is-done", breaks("sse-event-json").perhaps("res-json", "res-once"), kSse,
       "A stream with a result ends with an event that is no message.",
       results_as([](Events& events) { events.emplace_back("data: [DONE]\n\n"); })},
      {"sse-event-unended", breaks("sse-event-whole").perhaps("sse-response-present", "res-always"),
       kSse, "The blank line behind a result is missing.",
       results_as([](Events& events) { events.back().pop_back(); })},
      {"sse-response-lost", breaks("sse-response-present").perhaps("res-always"), kSse,
       "Streams end without the result.", results_as([](Events& events) { events.clear(); })},
      {"sse-comment-in-latin-1", breaks("sse-utf8"), kBothSse, "Comments are in Latin-1.",
       events_as([](const std::string& event) { return ": \xE9\n" + event; })},
      {"sse-lines-end-at-separators",
       breaks("sse-event-json").perhaps("sse-response-present", "res-json", "res-always"), kBothSse,
       "Data is cut into lines at U+2028 too.", events_as([](const std::string& event) {
         return replaced(event, "\xE2\x80\xA8", "\ndata: ");
       })},
      {"sse-line-ends-normalised",
       breaks("sse-no-raw-newline").perhaps("id-string-exact", "json-escapes"), kBothSse,
       "Carriage returns within Strings become line feeds.",
       events_as([](const std::string& event) {
         return replaced(replaced(event, "\\r\\n", "\\n"), "\\r", "\\n");
       })},
      {"sse-answered-twice", breaks("res-once").perhaps("bat-each", "json-trailing"), kSse,
       "Each event is sent twice.",
       events_as([](const std::string& event) { return event + event; })},
      {"sse-ids-repeat", breaks("sse-event-id"), kSse, "Each stream counts its events anew.",
       Behaviour{.events = {.repeats_ids = true}}},
      {"sse-streams-alone-fail", breaks("sse-accept"), kSse,
       "A client that takes nothing but event streams gets a 500.",
       Behaviour{.events = {.refuses_stream_alone = 500}}},
      {"sse-for-all", breaks("sse-accept"), kSse, "A client that takes JSON alone gets a stream.",
       Behaviour{.events = {.streams_for_all = true}}},
      {"sse-resumes-with-nothing",
       breaks("sse-resume").perhaps("sse-response-present", "res-always"), kSse,
       "A stream that breaks off cannot be taken up again.", resuming_by(nothing)},
      {"sse-resumes-from-the-beginning", breaks("sse-resume"), kSse,
       "A stream that is taken up again begins anew.", resuming_by(all_of_it)},
      {"sse-resumes-another-stream",
       breaks("sse-resume-scope")
           .perhaps("sse-resume", "sse-no-raw-newline", "sse-response-present", "id-echo",
                    "res-always", "res-once", "par-positional"),
       kSse, "A stream that is taken up again goes on as the one before it.",
       resuming_by(those_of_another)},
      {"sse-endpoint-elsewhere", breaks("sse-endpoint-event"), kSseEndpoint,
       "Messages are to go to another host.",
       Behaviour{.events = {.endpoint = "http://198.51.100.7/messages?session="}}},
      {"sse-endpoint-tells-new-ones", breaks("res-once").perhaps("id-echo", "res-always"),
       kSseEndpoint, "Clients that have asked nothing yet get what answers others.",
       Behaviour{.events = {.tells_new_ones = true}}},
      {"sse-endpoint-answers-posts", breaks("res-once").perhaps("bat-each", "json-trailing"),
       kSseEndpoint, "What comes on the stream answers the POST as well.",
       Behaviour{.events = {.answers_posts = true}}},
  };
  return all;
}
std::span<const Mutant> event_stream_variants() {
  static const Mutant all[] = {
      {"sse-comments", kLegal, kBothSse, "A comment stands first on each stream.",
       Behaviour{.events = {.preamble = ": here\n\n:\n\n"}}},
      {"sse-retry", kLegal, kBothSse, "Streams say how long to wait before coming back.",
       Behaviour{.events = {.preamble = "retry: 50\n\n"}}},
      {"sse-small-chunks", kLegal, kBothSse, "Events come in chunks of three bytes.",
       Behaviour{.events = {.piece = 3}}},
      {"sse-no-event-ids", kLegal, kSse, "Events have no ids.",
       Behaviour{.events = {.has_ids = false}}},
      {"sse-breaks-off", kLegal, kSse, "Streams end early, and a GET brings the rest.",
       Behaviour{.events = {.breaks_off = true}}},
      {"sse-polled", kLegal, kSse,
       "Streams end early, and some have nothing yet when they are taken up again.",
       Behaviour{.events = {.breaks_off = true, .polls = 4}}},
      {"sse-endpoint-stream-ends", kLegal, kSseEndpoint,
       "The stream ends behind the answer to each third message.",
       Behaviour{.events = {.ends_after = 3}}},
      {"sse-endpoint-refuses-in-words", kLegal, kSseEndpoint,
       "A POST to where the stream is opened gets a 400 in words.",
       Behaviour{.events = {.refuses_posts = "Missing sessionId"}}},
      {"sse-endpoint-in-full", kLegal, kSseEndpoint,
       "The event says where messages go as a whole URI, with its scheme in upper case.",
       Behaviour{.events = {.endpoint = "HTTP://"}}},
      {"sse-stays-open", kLegal, kSse, "Streams stay open behind the Response.",
       Behaviour{.events = {.stays_open = true}}},
      {"sse-data-lines", kLegal, kBothSse, "The data of an event stands on several lines.",
       events_as([](const std::string& event) {
         return replaced(event, "\"jsonrpc\"", "\ndata:\"jsonrpc\"");
       })},
      {"sse-carriage-returns", kLegal, kBothSse, "The lines of streams end in CR LF.",
       events_as([](const std::string& event) { return replaced(event, "\n", "\r\n"); })},
      {"sse-heartbeats", kLegal, kBothSse,
       "An event of a type of its own, which is no message, comes before each.",
       events_as([](const std::string& event) { return "event: heartbeat\ndata: 0\n\n" + event; })},
      {"sse-accepted-in-words", kLegal, kSseEndpoint, "A POST that is taken is answered in words.",
       Behaviour{.events = {.says_accepted = "Accepted"}}},
  };
  return all;
}

}  // namespace jrpcheck::reference
