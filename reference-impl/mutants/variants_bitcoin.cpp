// Odd behaviours of a node of Bitcoin Core that no rule forbids.
#include "reference-impl/mutants/bitcoin_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using namespace bitcoin;

std::span<const Mutant> variants_of_both_dialects() {
  static const Mutant all[] = {
      {"btc-more-members", kLegal, kHttp, "Results have members of a later version.",
       edit_result("getblockchaininfo",
                   [](json& result) {
                     if (result.is_object()) result["bits"] = "207fffff";
                   })},
      {"btc-starts-up", kLegal, kHttp, "The first calls are answered that the node still starts.",
       starting_up},
      {"btc-user-limited", kLegal, kHttp, "The user may call a few methods alone.",
       limiting_user()},
      {"btc-no-wallets", kLegal, kHttp, "The node was built without wallets.",
       edit_http_request([](wire::HttpMessage& request) {
         if (request.target.starts_with("/wallet/")) request.target = "/nowhere";
       })},
      {"btc-wallet-calls-unknown", kLegal, kHttp, "Calls of wallets are unknown methods.",
       recoding("getwalletinfo", -18, -32601)},
      {"btc-no-echo", kLegal, kHttp, "There is no echo.", reading_calls([](json& call) {
         if (call["method"] == "echo") call["method"] = "nobodys";
       })},
      {"btc-challenges", kLegal, kHttp, "Other schemes may be logged in by as well.",
       with_head([](const wire::HttpMessage&, std::string& bytes) {
         replace_text(bytes, "WWW-Authenticate: ",
                      "WWW-Authenticate: Negotiate\r\n"
                      "WWW-Authenticate: Digest realm=\"a, b\", ");
       })},
      {"btc-closes", kLegal, kHttp, "Each answer ends its connection.",
       on_http_request([](const wire::HttpMessage& request, const ProperAnswer& proper) {
         HttpAnswer answer = proper(request);
         replace_text(answer.bytes, "Connection: keep-alive", "Connection: close");
         answer.keep_alive = false;
         return answer;
       })},
      {"btc-charset", kLegal, kHttp, "The Content-Type has a charset.",
       with_head([](const wire::HttpMessage&, std::string& bytes) {
         replace_text(bytes, "application/json", "application/json; charset=utf-8");
       })},
  };
  return all;
}

std::span<const Mutant> variants_of_the_new_dialect() {
  static const Mutant all[] = {
      {"btc-id-of-the-one-before", kLegal, kHttp,
       "What is no Object in a batch is answered with the id of the call before it.",
       editing_batches([](const json& calls, json& batch) {
         const bool is_it = calls.size() == 2 && is_new(calls.front()) && calls[1].is_number() &&
                            batch.size() == 2;
         if (is_it) batch[1]["id"] = batch[0]["id"];
       })},
      {"btc-silent-behind-notification",
       kLegal,
       kHttp,
       "What is no Object in a batch has no answer behind a Notification.",
       {Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         const json calls = json::parse(message, nullptr, false);
         const bool is_it = calls.is_array() && calls.size() == 2 && is_new(calls.front()) &&
                            !calls.front().contains("id") && calls[1].is_number();
         return is_it ? Reply() : proper(message);
       }}}},
      {"btc-version-alone-answered",
       kLegal,
       kHttp,
       "A version alone in a batch is refused.",
       {Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         Reply reply = proper(message);
         if (!reply || !message.starts_with(R"([{"jsonrpc":"2.0"},)")) return reply;
         json batch = json::parse(*reply);
         batch.insert(
             batch.begin(),
             json::parse(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"no"},"id":null})"));
         return batch.dump();
       }}}},
  };
  return all;
}

std::span<const Mutant> variants_of_before_v28() {
  static const Mutant all[] = {
      {"btc-before-args", kLegal, kHttp, "The name args is not known, as before v25.",
       reading_calls([](json& call) {
         const bool has_args = call.contains("params") && call["params"].contains("args");
         if (has_args) call["params"] = {{"argz", 0}};
       })},
      {"btc-before-getrpcinfo", kLegal, kHttp, "There is no getrpcinfo, as before v0.18.",
       reading_calls([](json& call) {
         if (call["method"] == "getrpcinfo") call["method"] = "nobodys";
       })},
  };
  return all;
}

}  // namespace

std::vector<Mutant> bitcoin_variants(std::string_view version) {
  auto all = with_new_dialect(variants_of_both_dialects(), variants_of_the_new_dialect(), version);
  const auto before = variants_of_before_v28();
  if (version != "2.0") all.insert(all.end(), before.begin(), before.end());
  return all;
}

}  // namespace jrpcheck::reference
