#!/usr/bin/env python3
"""What a person does with the HTML report of a run, in a headless Chromium: page_test.py RENDERER.

RENDERER is render-for-testing. Exits 77 where there is no Chromium.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import CONTRAST, PagesTest, main, pages_of  # noqa: E402

SHOWN = "[...document.querySelectorAll('%s')].filter((each) => !each.hidden).length"


class Page(PagesTest):
    window = (1280, 900)

    @classmethod
    def write_pages(cls):
        for run in ("ordinary", "hostile", "large", "conforming", "empty"):
            cls.write_page(run)

    def shown(self, selector):
        return self.browser.run(SHOWN % selector)

    def test_verdict_and_numbers_come_first(self):
        self.open("ordinary")
        self.assertEqual(self.browser.run("document.querySelector('.top .verdict').innerText"), "fails")
        self.assertEqual(self.browser.run("[...document.querySelectorAll('.number b')].map((b) => b.innerText).join()"),
                         "2,1,1,1")
        self.assertEqual(self.browser.run("document.querySelector('.summary').innerText"),
                         "Breaks 1 of 3 core rules; loses or mixes up answers in two cases; batches are not served.")
        self.assertEqual(self.browser.run("document.documentElement.dataset.ready"), "5")

    def test_findings_show_what_was_sent_expected_and_got(self):
        self.open("ordinary")
        text = self.browser.run("document.getElementById('finding/id-echo').innerText")
        for part in ('{"id":1}', "an error with id 1", '{"id":"1"}', "printf"):
            self.assertIn(part, text)
        self.assertEqual(self.browser.run("document.querySelector('.got mark').innerText"), '"1"')
        self.assertEqual(self.browser.run("document.querySelector('.expected mark').innerText"), "1")

    def test_verdicts_filter(self):
        self.open("ordinary")
        self.browser.run("document.querySelector('.chips .fail').click()")
        self.assertEqual(self.shown(".case"), 2)
        self.assertEqual(self.shown(".req"), 1)
        self.assertEqual(self.browser.run("document.querySelector('.chips .fail').getAttribute('aria-pressed')"), "true")
        self.assertEqual(self.browser.run("document.querySelector('output').textContent"),
                         "1 of 2 findings, 1 of 4 requirements, 2 of 5 cases")
        self.browser.run("document.querySelector('.chips .fail').click()")
        self.assertEqual(self.shown(".case"), 5)

    def test_levels_and_text_filter(self):
        self.open("ordinary")
        self.browser.run("(() => { const box = document.querySelector('select[aria-label=level]');"
                         "box.value = 'should'; box.dispatchEvent(new Event('change')); })()")
        self.assertEqual(self.shown(".req"), 1)
        self.browser.run("[...document.querySelectorAll('.filter button')].pop().click()")
        self.assertEqual(self.shown(".req"), 4)
        self.browser.run("document.getElementById('filter').focus()")
        for letter in "unknown":
            self.browser.press(letter, letter)
        self.assertEqual(self.shown(".case"), 1)
        self.assertEqual(self.shown(".card"), 0)
        self.assertEqual(self.shown("#findings .empty"), 1)

    def test_links_lead_to_cases_and_requirements(self):
        for kind, name in (("case", "id/string"), ("req", "bat-empty")):
            self.open("ordinary", f"#{kind}/{name}")
            element = f"document.getElementById('{kind}/{name}')"
            self.assertTrue(self.browser.run(element + ".open"))
            self.assertTrue(self.browser.run(f"{element}.getBoundingClientRect().top < innerHeight"))
            self.assertTrue(self.browser.run(element + ".querySelector('.inside') !== null"))

    def test_what_a_manager_asks_comes_before_what_only_we_ask(self):
        self.open("ordinary")
        text = self.browser.run("document.body.innerText")
        places = [text.index(part) for part in ("Breaks 1 of 3", "of 5", "The Response has the wrong id.", "abc123")]
        self.assertEqual(places, sorted(places))
        self.assertTrue(self.browser.run("document.querySelector('.card').getBoundingClientRect().top < innerHeight / 2 + 100"))

    def test_only_what_applies_is_counted(self):
        self.open("conforming")
        self.assertEqual(self.browser.run("document.querySelector('.summary').innerText"),
                         "Keeps every rule that applies: 376 of 376 cases pass.")
        self.assertEqual(self.browser.run("document.querySelector('.number.is-pass').innerText.replace(/\\s+/g, ' ')"),
                         "376 of 376 pass")
        self.assertIn("376 of 376 cases", self.browser.run("document.querySelector('output').textContent"))

    def test_numbers_lead_to_what_they_count(self):
        self.open("ordinary")
        self.browser.run("document.querySelector('.number.is-warn').click()")
        self.browser.await_true("document.querySelector('.number.is-warn').getAttribute('aria-current') === 'true'")
        self.assertEqual(self.shown(".case"), 1)
        self.assertEqual(self.shown(".card"), 1)
        self.assertIn("verdict=warn", self.browser.run("location.hash"))
        self.browser.run("document.querySelector('.of-classes a').click()")
        self.browser.await_true("location.hash.includes('class=core')")
        self.assertEqual(self.shown(".case"), 5)

    def test_a_link_shows_what_its_sender_saw(self):
        self.open("ordinary")
        self.browser.run("document.querySelector('.chips .fail').click()")
        self.browser.run("document.getElementById('filter').focus()")
        for letter in "id":
            self.browser.press(letter, letter)
        self.browser.run("document.querySelector('#requirements summary').click()")
        self.browser.await_true("location.hash.includes('open=')")
        address = self.browser.run("location.hash")
        self.open("ordinary", address)
        self.assertEqual(self.browser.run("document.getElementById('filter').value"), "id")
        self.assertEqual(self.browser.run("document.querySelector('.chips .fail').getAttribute('aria-pressed')"), "true")
        self.assertTrue(self.browser.run("document.getElementById('req/id-echo').open"))
        self.assertEqual(self.shown(".case"), 2)
        self.open("ordinary", "#?verdict=nonsense&class=nothing&open=&q=")
        self.assertEqual(self.shown(".case"), 5)
        self.assertFalse(self.browser.run("document.querySelector('.card').open"))

    def test_a_card_says_why_it_matters_and_where_it_was_seen(self):
        self.open("ordinary")
        text = self.browser.run("document.getElementById('finding/id-echo').innerText")
        self.assertIn("A client cannot tell which call was answered.", text)
        self.assertIn("owner/project #7: the id came back as a String", text)
        self.assertEqual(self.browser.run("[...document.querySelectorAll('#finding\\\\/id-echo a[target]')].map((each) => each.href).join(' ')"),
                         "https://www.jsonrpc.org/specification#response_object https://github.com/owner/project/issues/7")

    def test_cases_are_counted_alike_wherever_they_are(self):
        self.open("ordinary", "#req/id-echo")
        self.assertIn("2 of 4 cases", self.browser.run("document.querySelector('#finding\\\\/id-echo .where').innerText"))
        self.assertIn("Broken in 2 of 4 cases", self.browser.run("document.getElementById('req/id-echo').innerText"))

    def test_copying_works_again_and_again(self):
        self.open("ordinary")
        self.browser.run("window.copied = []; Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => copied.push(text)}})")
        button = "document.querySelector('.card button')"
        for times in (1, 2):
            self.browser.run(button + ".click()")
            self.browser.await_true(f"copied.length === {times} && {button}.textContent === 'Copied'")
            self.browser.await_true(button + ".textContent === 'Copy'")
        self.assertEqual(self.browser.run("copied[0] === copied[1] && copied[0].startsWith('printf')"), True)

    def test_a_link_to_what_is_filtered_away_clears_the_filter(self):
        self.open("ordinary")
        self.browser.run("document.querySelector('.chips .pass').click()")
        self.browser.run("location.hash = '#case/id/number'")
        self.browser.await_true("document.getElementById('case/id/number').open")
        self.assertEqual(self.shown(".case"), 5)

    def test_the_keyboard_suffices(self):
        self.open("ordinary")
        self.browser.press("Tab")
        self.assertEqual(self.browser.run("document.activeElement.className"), "skip")
        self.browser.press("/", "/")
        self.assertEqual(self.browser.run("document.activeElement.id"), "filter")
        self.browser.run("document.querySelector('.case summary').focus()")
        self.browser.press("Enter", "\r")
        self.browser.await_true("document.querySelector('.case .events') !== null")
        self.assertTrue(self.browser.run(
            "[...document.querySelectorAll('button, select, input')].every((each) => "
            "(each.getAttribute('aria-label') || each.textContent).trim() !== '')"))

    def test_text_is_readable_in_both_themes(self):
        grounds = set()
        for scheme in ("light", "dark"):
            self.browser.media(scheme)
            self.open("ordinary", "#case/id/number")
            self.assertEqual(self.browser.run(CONTRAST), "", scheme)
            grounds.add(self.browser.run("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(grounds), 2)

    def test_a_phone_needs_no_scrolling_sideways(self):
        self.browser.size(390, 844)
        for run in ("ordinary", "hostile"):
            self.open(run, "#case/id/number")
            self.assertLessEqual(self.browser.run("document.scrollingElement.scrollWidth"), 390)

    def test_print_holds_every_finding_that_is_closed(self):
        self.open("ordinary", "#?open=")
        pdf = self.printed()
        self.assertEqual(pdf[:4], b"%PDF")
        self.assertTrue(self.browser.run("[...document.querySelectorAll('.card .fold')].every((each) => each.open)"))
        self.assertIn('{"id":null}', self.browser.run("document.getElementById('findings').innerText"))
        self.browser.media("dark", "print")
        self.assertEqual(self.browser.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")

    def test_a_report_that_conforms_prints_on_two_pages(self):
        self.open("conforming")
        pdf = self.printed()
        self.assertLessEqual(pages_of(pdf), 2)
        self.browser.run("document.documentElement.classList.add('with-lists')")
        self.assertGreater(pages_of(self.printed()), 5)

    def test_a_hostile_server_runs_nothing(self):
        self.open("hostile")
        self.browser.run("document.querySelectorAll('.case, .req, .fold').forEach((each) => each.fill())")
        self.assertIsNone(self.browser.run("window.pwned"))
        self.assertEqual(self.browser.run("document.querySelectorAll('script').length"), 2)
        self.assertEqual(self.browser.run("document.querySelectorAll('img, iframe, object, embed, base, form[action]').length"), 0)
        outward = set(self.browser.run(
            "[...document.querySelectorAll('a')].map((each) => each.getAttribute('href')).filter((each) => !each.startsWith('#'))"))
        self.assertEqual(outward, {"https://www.jsonrpc.org/specification#response_object",
                                   "https://www.rfc-editor.org/rfc/rfc8259#section-9",
                                   "https://github.com/owner/project/issues/7"})
        text = self.browser.run("document.body.innerText")
        for hidden in ("\x1b", "\x07", "\u202e", "\u2028", "\ufeff", "\x00"):
            self.assertNotIn(hidden, text)
        self.assertIn("</script><script>window.pwned=1", text)

    def test_the_policy_of_the_page_forbids_other_scripts(self):
        self.open("ordinary")
        self.browser.run("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.pwned = 1'}))")
        self.assertIsNone(self.browser.run("window.pwned"))
        self.assertEqual(len(self.browser.problems), 1)
        self.assertIn("Content Security Policy", self.browser.problems.pop())

    def test_long_texts_are_folded(self):
        self.open("hostile", "#case/id/number")
        folded = "document.getElementById('case/id/number').innerText.length"
        before = self.browser.run(folded)
        self.assertLess(before, 100000)
        self.browser.run("document.querySelector('.case .more').click()")
        self.assertGreater(self.browser.run(folded), before + 50000)

    def test_a_thousand_cases_are_quick(self):
        self.open("large")
        self.assertEqual(self.browser.run("document.documentElement.dataset.ready"), "1000")
        # Bounds that a busy machine keeps; on an idle one it takes a tenth of them.
        self.assertLess(self.browser.run("performance.timing.loadEventEnd - performance.timing.navigationStart"), 5000)
        self.assertLess(self.browser.run("(() => { const begin = performance.now(); document.querySelector('.chips .fail').click();"
                                         "document.body.getBoundingClientRect(); return performance.now() - begin; })()"), 1000)

    def test_nothing_exercised_is_not_green(self):
        self.open("empty")
        self.assertEqual(self.browser.run("document.querySelector('.top .verdict').innerText"), "partial")
        self.assertEqual(self.browser.run("document.querySelectorAll('.pass:not(button):not(rect):not(.number *)').length"), 0)

    def test_without_scripts_the_ledger_is_there(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open("ordinary")
            root = self.browser.call("DOM.getDocument")["root"]["nodeId"]
            rows = self.browser.call("DOM.querySelectorAll", nodeId=root, selector=".ledger tbody tr")["nodeIds"]
            self.assertEqual(len(rows), 4)
            html = self.browser.call("DOM.getOuterHTML", nodeId=rows[0])["outerHTML"]
            self.assertIn("id-echo", html)
            self.assertIn("verdict fail", html)
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)


if __name__ == "__main__":
    main(__doc__)
