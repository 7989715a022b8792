#include "client/oauth_judge.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/contains.hpp"
#include "client/trial_judge.hpp"
#include "judge/clients/authorization.hpp"

namespace jrpcheck::client {
namespace {

using corpus::OAuthPlace;
using judge::OAuthRecord;
using judge::OAuthTurn;

constexpr std::size_t kMostShown = 100;

// In place of what was said by itself; how the program ended stays.
std::vector<dialogue::Event> transcript_of(const OAuthRecord& record,
                                           std::vector<dialogue::Event> ending) {
  std::vector<dialogue::Event> events;
  const auto add = [&](dialogue::Direction direction, const std::string& bytes) {
    auto excerpt = dialogue::excerpt(bytes);
    auto& event = events.emplace_back(dialogue::Event{direction, {}, std::move(excerpt.bytes)});
    event.left_out = excerpt.left_out;
    event.step = 0;
  };
  for (const auto& turn : record.turns) {
    if (events.size() >= 2 * kMostShown) break;
    std::string asked = turn.method + " " + turn.target;
    if (!turn.call.empty()) asked += " " + turn.call;
    if (!turn.authorization.empty()) asked += "\nAuthorization: " + turn.authorization;
    if (turn.place == OAuthPlace::token) asked += "\n" + wire::write_parameters(turn.parameters);
    if (!turn.body.empty()) asked += "\n" + turn.body;
    add(dialogue::Direction::received, asked);
    std::string answered = turn.status == 0 ? "its answer" : std::to_string(turn.status);
    if (turn.scope) answered += " scope=\"" + *turn.scope + "\"";
    if (turn.place != OAuthPlace::resource && !turn.given.empty()) answered += " " + turn.given;
    add(dialogue::Direction::sent, answered);
  }
  std::move(ending.begin(), ending.end(), std::back_inserter(events));
  return events;
}

class OAuthJudge {
 public:
  OAuthJudge(const corpus::Dialogue& dialogue, const DialogueNotes& notes,
             const DialogueNotes* flow, const corpus::Ledger& ledger, result::CaseResult& result)
      : plan_(*dialogue.authorization),
        requirements_(dialogue.requirements),
        subject_(dialogue.requirements.front()),
        notes_(notes),
        record_(*notes.oauth),
        flow_(flow == nullptr ? nullptr : &*flow->oauth),
        ledger_(ledger),
        result_(result) {}

  void judge() {
    result_.transcript = transcript_of(record_, result_.transcript);
    add_what_rules_found();
    result_.reason = flow_ == nullptr ? why_it_takes_no_part(notes_) : "";
    if (!result_.reason.empty()) return;
    if (flow_ != nullptr && !judge::asks_for_token(*flow_)) {
      result_.reason = "the client asks for no token where nothing is odd either";
      return;
    }
    if (!plan_.in_order.empty()) judge_order();
    if (plan_.asks_for_token) judge_asking();
    if (plan_.stops_before) return judge_stopping();
    if (!contains(result_.exercised, subject_)) result_.reason = why_it_was_not_shown();
  }

 private:
  // What the usual flow has shown is not told again.
  void add_what_rules_found() {
    const auto found_in = [&](OAuthRecord record) {
      // A client of several versions comes to the one it agrees on in the usual flow.
      if (flow_ != nullptr) record.version = flow_->version;
      return judge::judge_authorization(record, "mcp", ledger_);
    };
    const auto known = flow_ == nullptr ? judge::Judgement() : found_in(*flow_);
    auto own = found_in(record_);
    for (auto& each : own.findings) {
      // An advice that is not taken is told where the dialogue is about it, and not in each.
      const bool is_told =
          each.severity == corpus::Verdict::fail || contains(requirements_, each.requirement);
      if (!is_told || holds_finding(known.findings, each)) continue;
      result_.findings.push_back(std::move(each));
    }
    for (const auto& each : own.exercised.in_order()) result_.exercised.push_back(each);
  }

  void charge(const std::string& sentence, const std::string& expected, const std::string& actual) {
    result_.exercised.push_back(subject_);
    client::charge(subject_, {sentence, expected, actual}, ledger_, result_);
  }

  std::size_t place_of(const std::string& path) const {
    const auto& turns = record_.turns;
    const auto is_it = [&](const OAuthTurn& each) { return each.path == path; };
    return static_cast<std::size_t>(std::ranges::find_if(turns, is_it) - turns.begin());
  }

  void judge_order() {
    const std::string wanted = plan_.in_order.back();
    std::size_t last = 0;
    for (const auto& path : plan_.in_order) {
      const std::size_t place = place_of(path);
      if (place == record_.turns.size()) {
        return charge("The client does not look for metadata at " + path + ".", "GET " + path,
                      "nothing of it");
      }
      if (place < last) {
        return charge("The client looks for metadata at " + path + " too late.",
                      "GET " + path + " before others", "GET " + path + " after others");
      }
      last = place;
    }
    result_.exercised.push_back(subject_);
  }

  void judge_asking() {
    if (judge::asks_for_token(record_)) {
      result_.exercised.push_back(subject_);
    } else if (result_.findings.empty()) {
      charge("The client asks for no token, and does so in the usual flow.",
             "a request for authorization or a token", "none");
    }
  }

  OAuthPlace place_of_oddity() const {
    if (!plan_.redirect.empty()) return OAuthPlace::authorization;
    return plan_.resource_metadata != "{}" ? OAuthPlace::resource_metadata
                                           : OAuthPlace::server_metadata;
  }

  bool has_sent_state() const {
    return std::ranges::any_of(record_.turns, [](const OAuthTurn& each) {
      return each.place == OAuthPlace::authorization && !judge::parameter_of(each, "state").empty();
    });
  }

  void judge_stopping() {
    if (!judge::has_asked(record_, place_of_oddity())) {
      result_.reason = "the client did not come to what is wrong";
      return;
    }
    if (plan_.redirect.contains("state") && !has_sent_state()) {
      std::erase(result_.exercised, subject_);
      result_.reason = "the client has sent no state";
      return;
    }
    const bool is_by_token = *plan_.stops_before == OAuthPlace::token;
    if (!judge::has_asked(*flow_, *plan_.stops_before)) {
      std::erase(result_.exercised, subject_);
      result_.reason = "the client does not come so far where nothing is odd either";
      return;
    }
    result_.exercised.push_back(subject_);
    if (!judge::has_asked(record_, *plan_.stops_before)) return;
    charge(is_by_token ? "The client redeems a code of an answer that it was to refuse."
                       : "The client asks for authorization by metadata that it was to refuse.",
           is_by_token ? "no request for a token" : "no request for authorization", "one");
  }

  std::string why_it_was_not_shown() const {
    if (plan_.gives_credentials) {
      return "the client does not take JRPCHECK_CLIENT_ID and JRPCHECK_CLIENT_SECRET, which are "
             "credentials given in advance";
    }
    if (plan_.sends_elsewhere) return "the client does not follow a redirect to another host";
    if (!judge::asks_for_token(record_)) {
      return "the client reads the metadata and asks for no authorization: it is to open that URL "
             "by GET and to follow the redirect (docs/clients.md)";
    }
    if (!judge::has_asked(record_, OAuthPlace::token)) {
      return "the client redeems no code: it is to open the URL of authorization by GET and to "
             "follow the redirect (docs/clients.md)";
    }
    return "the client did not come to that, which it need not";
  }

  const corpus::AuthorizationPlan& plan_;
  const std::vector<std::string>& requirements_;
  const std::string& subject_;
  const DialogueNotes& notes_;
  const OAuthRecord& record_;
  const OAuthRecord* flow_;
  const corpus::Ledger& ledger_;
  result::CaseResult& result_;
};

}  // namespace

std::string why_it_takes_no_part(const DialogueNotes& notes) {
  const auto& record = notes.oauth;
  if (record && judge::begins_authorization(*record)) return {};
  return "the client answers 401 by nothing, for authorization is optional: one with a provider "
         "for "
         "OAuth that opens URLs by GET takes part (docs/clients.md)";
}

std::string why_it_is_not_asked(const std::string& requirement, const DialogueNotes& notes,
                                const corpus::Ledger& ledger) {
  const auto& version = notes.oauth->version;
  judge::ClientCharges charges({"mcp", ledger});
  if (!version.empty()) charges.version = version;
  if (charges.is_asked(requirement)) return {};
  return version.empty() ? "it is not asked of clients that name no version"
                         : "it is not asked of clients of " + version;
}

void judge_oauth(const corpus::Dialogue& dialogue, const DialogueNotes& notes,
                 const DialogueNotes* flow, const corpus::Ledger& ledger,
                 result::CaseResult& result) {
  OAuthJudge(dialogue, notes, flow, ledger, result).judge();
}

}  // namespace jrpcheck::client
