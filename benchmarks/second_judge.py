#!/usr/bin/env python3
"""A second judge, which shares nothing with the first: how often do the two agree?

Reads stored runs (--report json=FILE, judged by JSON-RPC 2.0 alone), takes each case in which one message was
sent, and says from the specification alone whether what came back is right. What it holds for wrong and jrpcheck
for right, or the reverse, is printed: one of the two is mistaken, or the case charges something else than the
answer (a server that dies a moment later). A fault that jrpcheck has charged elsewhere in the run counts as told.

  benchmarks/second_judge.py RUN.json...      exit code 1 where fewer than 99.9 % agree
"""
import collections
import decimal
import json
import os
import sys

WANTED = 0.999
# What these classes ask is not what came back for a message.
OTHER_CLASSES = ("http/", "lsp/", "security/", "stdio/", "tcp/", "tls/", "unix/", "ws/", "v1/")
# What is charged beside an answer: that the server died of it, or wrote something else as well.
BESIDE_THE_ANSWER = ("rob-", "std-")
LONG = 1500  # of longer or deeper messages the limits of a server are asked
BRACKETS = 15

Number = collections.namedtuple("Number", "text")


def members(pairs):
    if len({name for name, _ in pairs}) != len(pairs):
        raise NotImplementedError("a name twice, of which RFC 8259 §4 says nothing")
    return dict(pairs)


def refuse(constant):
    raise ValueError(constant)


def parse(text):
    return json.loads(text, parse_constant=refuse, object_pairs_hook=members, parse_float=Number, parse_int=Number)


def same(a, b):
    if isinstance(a, Number) and isinstance(b, Number):
        return decimal.Decimal(a.text) == decimal.Decimal(b.text) or float(a.text) == float(b.text)
    return type(a) is type(b) and a == b


def is_whole(number):
    value = decimal.Decimal(number.text)
    return value == value.to_integral_value()


def is_id(value):
    return value is None or isinstance(value, (str, Number))


def faults_of(response):
    """What is wrong with a Response object, by JSON-RPC 2.0 §5; empty where nothing is."""
    if not isinstance(response, dict):
        return {"shape"}
    faults = set()
    if response.get("jsonrpc") != "2.0":
        faults.add("version")
    if not is_id(response.get("id", False)):
        faults.add("id")
    if ("result" in response) == ("error" in response):
        faults.add("shape")
    if "error" in response:
        error = response["error"]
        if not isinstance(error, dict):
            return faults | {"code", "message"}
        code = error.get("code")
        if not isinstance(code, Number) or not is_whole(code):
            faults.add("code")
        if not isinstance(error.get("message"), str):
            faults.add("message")
    return faults


class Due:
    """An answer that a message may have: silence, an error with one of these codes, or any outcome."""

    def __init__(self, codes=None, ids=(None,), silent=False):
        self.codes, self.ids, self.silent = codes, ids, silent

    def fits(self, response):
        if self.silent or faults_of(response) or not any(same(response["id"], one) for one in self.ids):
            return False
        if self.codes is None:
            return True
        return "error" in response and int(decimal.Decimal(response["error"]["code"].text)) in self.codes


def due_for(request, known):
    """All that may be answered to one element of a batch, or to a message that is none."""
    if not isinstance(request, dict):
        return [Due({-32600})]
    if "jsonrpc" not in request:
        raise NotImplementedError("it may be served as JSON-RPC 1.0")
    if request.get("params", ()) is None:
        raise NotImplementedError("many take null for absent, which is observed")
    if "method" not in request and ("result" in request or "error" in request):
        raise NotImplementedError("a Response to the server")
    method, has_id = request.get("method"), "id" in request
    identifier = request.get("id")
    is_named = request["jsonrpc"] == "2.0" and isinstance(method, str)
    is_structured = isinstance(request.get("params", []), (dict, list))
    if is_named and is_structured and is_id(identifier):
        if not has_id:
            return [Due(silent=True)]
        answers = [Due(ids=(identifier,)) if method in known else Due({-32601}, (identifier,))]
        is_odd = identifier is None or (isinstance(identifier, Number) and not is_whole(identifier))
        if isinstance(identifier, Number) and len(identifier.text) > 15 and not is_odd:
            raise NotImplementedError("more digits than a double keeps")
        if is_odd or method == "" or set(request) - {"jsonrpc", "method", "params", "id"}:
            answers.append(Due({-32600, -32602}, (identifier, None)))
        return answers
    ids = (None, identifier) if has_id and is_id(identifier) else (None,)
    # Whose params are wrong may also be told of its method, and may be a Notification where it has no id.
    codes = {-32600, -32602, -32601} if is_named and is_id(identifier) else {-32600}
    answers = [Due(codes, ids)]
    if is_named and not has_id:
        answers.append(Due(silent=True))
    return answers


def is_right(sent, replies, known):
    try:
        message = parse(sent)
    except ValueError:
        return len(replies) == 1 and Due({-32700}).fits(replies[0])
    if not isinstance(message, list) or not message:
        answers = due_for(message, known)
        if not replies:
            return any(one.silent for one in answers)
        return len(replies) == 1 and any(one.fits(replies[0]) for one in answers)
    due = [due_for(one, known) for one in message]
    awaited = [answers for answers in due if not all(one.silent for one in answers)]
    may_be_silent = all(any(one.silent for one in answers) for answers in awaited)
    if not replies:
        return may_be_silent
    if len(replies) != 1 or not isinstance(replies[0], list) or not awaited:
        return False
    left = list(replies[0])
    for answers in sorted(awaited, key=len):
        found = next((one for one in left if any(each.fits(one) for each in answers)), None)
        if found is not None:
            left.remove(found)
        elif not any(one.silent for one in answers):
            return False
    return not left


# Under which requirements a constant fault is charged once, and no more in every case.
CHARGED_ONCE = {
    "version": ("res-version",),
    "id": ("id-",),
    "code": ("err-code-", "rob-inherited-names"),
    "message": ("err-message-",),
    "shape": ("res-", "std-clean", "http-"),
    "batch": ("bat-", "id-", "ntf-silent-in-batch"),
    "silence": ("res-always", "rob-survives", "ntf-invalid-answered", "err-code-parse", "bat-supported", "bat-array"),
    "surplus": ("ntf-",),
}


def wrongs_of(sent, replies):
    faults = set()
    answered = [one for reply in replies for one in (reply if isinstance(reply, list) else [reply])]
    if not answered:
        faults.add("silence")
    for one in answered:
        faults |= faults_of(one)
        if isinstance(one, dict) and "error" in one:
            faults.add("code")
    try:
        message = parse(sent)
    except (ValueError, NotImplementedError):
        return faults
    if isinstance(message, list):
        faults.add("batch")
    elif isinstance(message, dict) and "id" not in message:
        faults.add("surplus")
    elif isinstance(message, dict) and any(isinstance(one, dict) and one.get("id") != message["id"] for one in answered):
        faults.add("id")
    return faults


def body_of(text, has_head):
    return text.partition("\r\n\r\n")[2] if has_head else text


def exchange_in(case, has_head):
    """The one message of a case and what came back for it; None where there is no such thing."""
    transcript = [one for one in case["transcript"] if not one.get("control") and "note" not in one]
    sent = [one for one in transcript if one["direction"] == "sent"]
    received = [one for one in transcript if one["direction"] == "received"]
    if len(sent) != 1 or any("text" not in one or "left-out" in one for one in sent + received):
        return None
    text = sent[0]["text"]
    if text.startswith(("GET", "PUT", "HEAD", "DELETE", "OPTIONS", "PATCH")):
        return None
    text = body_of(text, has_head)
    is_extreme = len(text) > LONG or text.count("[") > BRACKETS or text.startswith("\ufeff")
    if is_extreme or not text.strip() or "Content-Length" in text or "\n{" in text.strip():
        return None
    if "\\ud8" in text.lower() or "\\udc" in text.lower():
        return None  # RFC 8259 §8.2: unpredictable
    replies = [body_of(one["text"], has_head) for one in received]
    return text, [one for one in replies if one.strip()]


def judge(case, run, known, told):
    """Whether the two judges agree about a case; None where this one has no opinion."""
    if case["verdict"] in ("not-exercised", "not-applicable") or case["id"].startswith(OTHER_CLASSES):
        return None
    has_head = run["target"]["transport"] in ("http", "https") or run["target"]["framing"] == "content-length"
    exchange = exchange_in(case, has_head)
    if exchange is None:
        return None
    sent, texts = exchange
    try:
        replies = [parse(one) for one in texts]
        right = is_right(sent, replies, known)
    except (NotImplementedError, RecursionError):
        return None
    except ValueError:
        replies, right = [None], False
    if right:
        charged = {finding["requirement"] for finding in case["findings"] if finding["severity"] == "fail"}
        return None if charged and all(one.startswith(BESIDE_THE_ANSWER) for one in charged) else not charged
    if case["verdict"] != "pass":
        return True
    once = tuple(start for fault in wrongs_of(sent, replies) for start in CHARGED_ONCE[fault])
    return any(requirement.startswith(once) for requirement in told)


def main():
    count, agreed, runs = 0, 0, 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        if "conditions" not in run or run["profile"] != "jsonrpc-2.0":
            continue
        runs += 1
        known = {role["method"] for role in run["conditions"]["roles"]} | {one["method"] for one in run["tried"]}
        told = {finding["requirement"] for case in run["cases"] for finding in case["findings"]}
        for case in run["cases"]:
            agrees = judge(case, run, known, told)
            if agrees is None:
                continue
            count += 1
            agreed += agrees
            if not agrees:
                charged = sorted({finding["requirement"] for finding in case["findings"]})
                print(f"{os.path.basename(path)}: {case['id']}: jrpcheck says {case['verdict']} {' '.join(charged)}")
    share = agreed / count if count else 0.0
    print(f"{runs} runs, {count} exchanges, {agreed} judged alike: {100 * share:.2f} %")
    return 0 if share >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
