#!/usr/bin/env python3
"""What a person does with the HTML report, in a headless Chromium: page_test.py RENDERER.

RENDERER is render-for-testing. Exits 77 where there is no Chromium.
"""
import base64
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_browser  # noqa: E402

RENDERER = ""
SHOWN = "[...document.querySelectorAll('%s')].filter((each) => !each.hidden).length"
CONTRAST = """(() => {
  const channels = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (text) => channels(text).map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if (!/, 0\\)$/.test(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const weak = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const has_text = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!has_text || element.closest('script, noscript') || element.hidden) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) weak.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2));
  }
  return [...weak].join(', ');
})()"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = Browser(find_browser())
        for run in ("ordinary", "hostile", "large", "empty"):
            with open(cls.path(run), "wb") as file:
                subprocess.run([RENDERER, "html", run], stdout=file, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    @classmethod
    def path(cls, run):
        return os.path.join(cls.folder.name, run + ".html")

    def setUp(self):
        self.browser.media()
        self.browser.size(1280, 900)

    def open(self, run, fragment=""):
        self.browser.open(self.path(run), fragment)

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith(("file:", "data:"))], [])

    def shown(self, selector):
        return self.browser.run(SHOWN % selector)

    def test_verdict_and_numbers_come_first(self):
        self.open("ordinary")
        self.assertEqual(self.browser.run("document.querySelector('.top .verdict').innerText"), "fails")
        self.assertEqual(self.browser.run("[...document.querySelectorAll('.number b')].map((b) => b.innerText).join()"),
                         "1,1,2,1,0")
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
                         "1 of 4 requirements, 2 of 5 cases shown")
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

    def test_print_holds_every_finding(self):
        self.open("ordinary")
        pdf = base64.b64decode(self.browser.call("Page.printToPDF")["data"])
        self.assertEqual(pdf[:4], b"%PDF")
        self.assertTrue(self.browser.run("[...document.querySelectorAll('.card .fold')].every((each) => each.open)"))
        self.assertIn('{"id":null}', self.browser.run("document.getElementById('findings').innerText"))
        self.browser.media("dark", "print")
        self.assertEqual(self.browser.run("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")

    def test_a_hostile_server_runs_nothing(self):
        self.open("hostile")
        self.browser.run("document.querySelectorAll('.case, .req, .fold').forEach((each) => each.fill())")
        self.assertIsNone(self.browser.run("window.pwned"))
        self.assertEqual(self.browser.run("document.querySelectorAll('script').length"), 2)
        self.assertEqual(self.browser.run("document.querySelectorAll('img, iframe, object, embed, base, form[action]').length"), 0)
        self.assertEqual(self.browser.run(
            "[...document.querySelectorAll('a')].filter((each) => !each.getAttribute('href').startsWith('#')).length"), 0)
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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    RENDERER = sys.argv.pop(1)
    if find_browser() is None:
        print("SKIPPED: chromium is not installed")
        sys.exit(77)
    unittest.main()
