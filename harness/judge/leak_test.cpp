#include "judge/leak.hpp"

#include <gtest/gtest.h>

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace leak_test {

TEST(Leak, TracesOfRuntimesAreFound) {
  for (const char* text : {
           "Traceback (most recent call last):\n  File \"/srv/app.py\", line 3, in f",
           "File \"/srv/app/server.py\", line 42, in handle",
           "Error\n    at Object.<anonymous> (/srv/app/index.js:12:3)",
           "at com.example.Server.handle(Server.java:118)",
           "at App.Rpc.Handle() in C:\\src\\Rpc.cs:line 12",
           "thread 'main' panicked at src/main.rs:10:5",
           "panic: nil map\n\ngoroutine 1 [running]:",
           "Undefined index in /var/www/rpc.php on line 7",
           "lookup failed (src/dispatch.cpp:118)",
           "no method on <Handler object at 0x7f3a5c2b1d30>",
       }) {
    EXPECT_NE(find_leak(std::string_view(text)), "") << text;
  }
}

TEST(Leak, WhatACallerMayBeToldIsNone) {
  for (const char* text : {
           "Method not found",
           "parse error at line 1, column 5: unexpected '}'",
           "cannot connect to example.com:8545",
           "no such file: /srv/data/report.txt",
           "execution reverted at 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
           "unexpected token at 0x1f",
           "param 1.c:3 is out of range? no: a.csv:3",
           "version 1.2.3",
           "the script main.py failed",
           "",
       }) {
    EXPECT_EQ(find_leak(std::string_view(text)), "") << text;
  }
}

TEST(Leak, IsFoundHoweverDeepItLies) {
  const auto trace = value_of(R"json({"data":{"stack":["E","    at f (/a/b.js:1:2)"]}})json");
  EXPECT_NE(find_leak(trace), "");
  EXPECT_EQ(find_leak(value_of(R"({"data":{"stack":["Error",7,null]}})")), "");
}

TEST(Leak, IsChargedOnceForAnError) {
  const auto one = case_accepting(R"({"response": {"error": {"any": true}, "id": 1}})");
  const auto judgement = judged(
      one,
      replied({R"({"jsonrpc":"2.0","error":{"code":1,"message":"m","data":"x.py:12"},"id":1})"}));
  EXPECT_EQ(charges(judgement), Charges{"sec-no-leak: warn"});
}

}  // namespace leak_test
}  // namespace jrpcheck::judge
