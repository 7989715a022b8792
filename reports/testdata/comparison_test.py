#!/usr/bin/env python3
"""What a person does with servers compared, in a headless Chromium: comparison_test.py RENDERER.

RENDERER is render-for-testing. Exits 77 where there is no Chromium.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import CONTRAST, PagesTest, main, pages_of  # noqa: E402

ROWS = "[...document.querySelectorAll('.matrix tbody tr')].filter((each) => !each.hidden)"
HEADS = "[...document.querySelectorAll('.matrix .server')].map((each) => each.innerText.trim())"


class Comparison(PagesTest):
    @classmethod
    def write_pages(cls):
        for runs in ("servers", "hostile-servers", "before-and-after"):
            cls.write_page(runs)

    def test_the_sentence_and_the_best_come_first(self):
        self.open("servers")
        self.assertEqual(self.browser.run("document.querySelector('.summary').innerText"),
                         "One of 13 servers conforms; 12 of 13 break \u201cText of rule-0\u201d (rule-0).")
        names = self.browser.run("[...document.querySelectorAll('.league tbody b')].map((each) => each.innerText).join()")
        self.assertEqual(names, ",".join(f"server-{letter}-with-a-long-name" for letter in "abcdefghijklm"))
        self.assertEqual(self.browser.run("document.querySelectorAll('.league .bar').length"), 13)

    def test_what_most_break_comes_first(self):
        self.open("servers")
        self.assertEqual(self.browser.run(ROWS + ".map((each) => each.id).slice(0, 3).join()"), "req/rule-0,req/rule-1,req/rule-2")
        self.assertEqual(self.browser.run(ROWS + ".length"), 12)
        self.assertEqual(self.browser.run(ROWS + "[0].cells[1].innerText"), "12")

    def test_filters_and_orders_stand_in_the_address(self):
        self.open("servers")
        self.browser.run("""(() => { for (const [label, value] of [['which rules', 'all'], ['order of the servers', 'name'],
            ['order of the rules', 'ledger']]) { const box = document.querySelector(`select[aria-label="${label}"]`);
            box.value = value; box.dispatchEvent(new Event('change')); } })()""")
        self.assertEqual(self.browser.run(ROWS + ".length"), 100)
        address = self.browser.run("location.hash")
        self.open("servers", address)
        self.assertEqual(self.browser.run(ROWS + ".length"), 100)
        self.browser.run("document.getElementById('filter').focus()")
        for letter in "rule-99":
            self.browser.press(letter, letter)
        self.assertEqual(self.browser.run(ROWS + ".map((each) => each.id).join()"), "req/rule-99")

    def test_columns_keep_to_their_servers_in_every_order(self):
        self.open("servers", "#?servers=name")
        self.assertEqual(self.browser.run(HEADS + "[1]"), "server-b-with-a-long-name")
        # Server b breaks the first rule alone.
        self.assertEqual(self.browser.run(ROWS + ".map((each) => each.cells[3].querySelector('.fail') !== null).join()").count("true"), 1)
        self.browser.run(ROWS + "[0].cells[3].querySelector('button').click()")
        self.assertIn("server-b-with-a-long-name", self.browser.run("document.querySelector('dialog[open] h2').innerText"))

    def test_a_sign_shows_what_was_sent_and_what_came_back(self):
        self.open("servers")
        self.browser.run("document.querySelector('.matrix button[tabindex=\"0\"]').focus()")
        self.browser.press("ArrowRight")
        self.browser.press("ArrowDown")
        cell = "document.activeElement.getAttribute('aria-label')"
        label = self.browser.run(cell)
        self.assertRegex(label, "^fail, server-.*, rule-1$")
        self.browser.press("Enter", "\r")
        self.browser.await_true("document.querySelector('dialog[open]') !== null")
        text = self.browser.run("document.querySelector('dialog').innerText")
        for part in ("Text of rule-1.", "{}", "an error with id 1", '{"id":"1"}', "printf"):
            self.assertIn(part, text)
        self.browser.press("Escape")
        self.browser.await_true("document.querySelector('dialog[open]') === null")
        self.assertEqual(self.browser.run(cell), label)

    def test_names_and_rules_stay_in_sight(self):
        for width in (1440, 820, 390):
            self.browser.size(width, 900)
            self.open("servers", "#?rows=all")
            self.assertLessEqual(self.browser.run("document.scrollingElement.scrollWidth"), width)
            self.browser.run("(() => { const panel = document.querySelector('.matrix-panel'); panel.scrollIntoView();"
                             "panel.scrollTop = 900; panel.scrollLeft = 200; })()")
            box = "document.querySelector('%s').getBoundingClientRect()"
            self.assertAlmostEqual(self.browser.run((box + ".top") % ".matrix .server"), self.browser.run((box + ".top") % ".matrix-panel"), delta=3)
            rule = ROWS + "[50].cells[0].getBoundingClientRect().left"
            self.assertAlmostEqual(self.browser.run(rule), self.browser.run((box + ".left") % ".matrix-panel"), delta=3)

    def test_text_is_readable_in_both_themes(self):
        for scheme in ("light", "dark"):
            self.browser.media(scheme)
            self.open("servers")
            self.browser.run("document.querySelector('.matrix button').click()")
            self.assertEqual(self.browser.run(CONTRAST), "", scheme)

    def test_on_paper_all_servers_fit(self):
        self.open("servers")
        self.browser.media("light", "print")
        self.browser.size(700, 1000)  # what is left of A4 between its margins
        self.assertLessEqual(self.browser.run("document.scrollingElement.scrollWidth"), 700)
        self.browser.media()
        self.assertLessEqual(pages_of(self.printed()), 3)

    def test_a_hostile_server_runs_nothing(self):
        self.open("hostile-servers")
        self.browser.run("document.querySelector('.matrix button').click()")
        self.assertIsNone(self.browser.run("window.pwned"))
        self.assertEqual(self.browser.run("document.querySelectorAll('script').length"), 2)
        self.assertEqual(self.browser.run("document.querySelectorAll('img, iframe, object, embed, base, form[action]').length"), 0)
        self.assertIn("</script><script>window.pwned=1", self.browser.run("document.body.innerText"))

    def test_before_and_after_shows_what_changed(self):
        self.open("before-and-after")
        self.assertEqual(self.browser.run("document.querySelector('.summary').innerText"),
                         "Of one case that changed, none got worse and one better.")
        self.assertIn("id/number", self.browser.run("document.querySelector('.changes').innerText"))


if __name__ == "__main__":
    main(__doc__)
