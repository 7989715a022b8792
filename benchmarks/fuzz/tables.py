"""What the bug benchmark of fuzzing has measured, as tables in Markdown."""

import statistics

ENGINES = {
    "fuzz": "`jrpcheck fuzz`, shapes of replies",
    "fuzz-coverage": "`jrpcheck fuzz`, edges of the server",
    "properties": "`jrpcheck properties`",
    "libfuzzer": "libFuzzer, bytes with dictionary, in process",
    "afl": "AFL++ (LLVM-NATIVE), bytes with dictionary, in process",
    "libfuzzer-alone": "libFuzzer, a campaign for each fault",
    "afl-alone": "AFL++, a campaign for each fault",
}


def attempts_of(lines):
    """By engine, fault and seed; what was tried again counts as it came out last."""
    last = {
        (line["engine"], line["fault"], line["seed"]): line
        for line in lines
        if line["kind"] == "attempt"
    }
    return [line for line in last.values() if "trouble" not in line]


def campaigns_of(lines):
    last = {
        (line["engine"], line["what"], line.get("fault"), line["seed"]): line
        for line in lines
        if line["kind"] == "campaign"
    }
    return list(last.values())


def troubles(lines):
    last = {
        (line["kind"], line["engine"], line.get("what"), line.get("fault"), line["seed"]): line
        for line in lines
        if line["kind"] != "settings"
    }
    return [line for line in last.values() if "trouble" in line]


def engines_in(attempts):
    return [engine for engine in ENGINES if any(each["engine"] == engine for each in attempts)]


def found_of(attempts, engine):
    return [each for each in attempts if each["engine"] == engine and each["found"]]


def values_of(attempts, member):
    return [each[member] for each in attempts if each["found"] and each[member] is not None]


def shown(number):
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:,.1f}"


def median_of(attempts, member):
    values = values_of(attempts, member)
    return shown(statistics.median(values)) if values else ""


def most_of(attempts, member):
    values = values_of(attempts, member)
    return shown(max(values)) if values else ""


def summary(attempts):
    lines = [
        "| engine | found | of attempts | faults found by any seed | exchanges to find, median "
        "| most | seconds, median | most | reduction in exchanges, median | most |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for engine in engines_in(attempts):
        own = [each for each in attempts if each["engine"] == engine]
        found = found_of(attempts, engine)
        lines.append(
            f"| {ENGINES[engine]} | {len(found)} | {len(own)} "
            f"| {len({each['fault'] for each in found})} of {len({each['fault'] for each in own})} "
            f"| {median_of(own, 'exchanges')} | {most_of(own, 'exchanges')} "
            f"| {median_of(own, 'seconds')} | {most_of(own, 'seconds')} "
            f"| {median_of(own, 'reduced_in')} | {most_of(own, 'reduced_in')} |"
        )
    return lines


def ratios(attempts):
    """How many times as much `fuzz` finds as a fuzzer of bytes, of the attempts that both made."""
    lines = []

    def keys(engine):
        return {(each["fault"], each["seed"]) for each in attempts if each["engine"] == engine}

    for engine in engines_in(attempts):
        both = keys("fuzz") & keys(engine)
        if not engine.startswith(("libfuzzer", "afl")) or not both:
            continue
        fuzz, other = (
            sum((each["fault"], each["seed"]) in both for each in found_of(attempts, name))
            for name in ("fuzz", engine)
        )
        times = f"{fuzz / other:.1f} times as many" if other else "the other none"
        lines.append(
            f"* Of the {len(both)} attempts that both made `fuzz` found {fuzz}, {ENGINES[engine]} {other}: "
            f"{times}."
        )
    return [*lines, ""] if lines else []


def by_fault(attempts):
    engines = engines_in(attempts)
    lines = ["| fault | " + " | ".join(engines) + " |", "|---|" + "---|" * len(engines)]
    for fault in dict.fromkeys(each["fault"] for each in attempts):
        cells = []
        for engine in engines:
            own = [r for r in attempts if r["fault"] == fault and r["engine"] == engine]
            median = median_of(own, "exchanges")
            count = f"{sum(r['found'] for r in own)}/{len(own)}" if own else ""
            cells.append(count + (f", {median}" if median else ""))
        lines.append(f"| `{fault}` | " + " | ".join(cells) + " |")
    return lines


def campaigns(lines):
    rows = campaigns_of(lines)
    if not rows:
        return []
    table = [
        "",
        "| campaign of bytes | seed | executions | seconds | words of the dictionary | corpus | at its end "
        "| edges | at its end | planted faults found after |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        what = {"rate": "no fault", "watch": "all faults", "alone": f"`{row.get('fault')}`"}[row["what"]]
        planted = ", ".join(shown(at) if at else "**never**" for at in row.get("planted", {}).values())
        cells = [f"{row['engine']}, {what}", row["seed"], shown(row["executions"]), shown(row["seconds"])]
        cells += [row["dictionary"], row["corpus"], row["corpus_at_end"], row["edges"], row["edges_at_end"]]
        cells = ["" if cell is None else str(cell) for cell in cells]
        table.append("| " + " | ".join([*cells, planted]) + " |")
    return table


def text_of(lines):
    attempts = attempts_of(lines)
    text = [*summary(attempts), "", *ratios(attempts), *by_fault(attempts), *campaigns(lines)]
    for each in troubles(lines):
        what = each.get("fault") or each.get("what")
        text += ["", f"**{each['engine']}, {what}, seed {each['seed']}:** {each['trouble']}"]
    return "\n".join([*text, ""])
