#!/usr/bin/env python3
"""What a person does on the site, in a headless Chromium: site_test.py RENDERER.

RENDERER is render-for-testing. Exits 77 where there is no Chromium.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import CONTRAST, PagesTest, main, pages_of  # noqa: E402

PAGES = ("index", "matrix", "matrix-libraries", "requirements", "changes", "targets/alpha", "targets/delta",
         "targets/_epsilon_", "requirements/id-echo")
NAMES = "[...document.querySelectorAll('#libraries')].length && " \
        "[...document.querySelector('#libraries').closest('section').querySelectorAll('tbody th a')].map((each) => each.innerText).join()"


class Site(PagesTest):
    @classmethod
    def write_pages(cls):
        subprocess.run([cls.renderer, "site=" + cls.folder.name, "ordinary"], check=True)

    def type(self, text):
        for letter in text:
            self.browser.press(letter, letter)

    def test_styles_and_scripts_are_taken_from_the_folder(self):
        for page in PAGES:
            self.open(page)
            self.assertEqual(self.browser.run("document.documentElement.dataset.ready"), "yes", page)
            self.assertNotEqual(self.browser.run("getComputedStyle(document.querySelector('.masthead')).borderBottomStyle"), "none", page)

    def test_nothing_is_wider_than_the_screen(self):
        for page in PAGES:
            for width in (1440, 820, 390, 320):
                self.browser.size(width, 800)
                self.open(page)
                over = self.browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                self.assertLessEqual(over, 0, f"{page} at {width}")

    def test_texts_can_be_read_in_both_themes(self):
        for page in PAGES:
            for scheme in ("light", "dark"):
                self.browser.media(scheme)
                self.open(page)
                self.assertEqual(self.browser.run(CONTRAST), "", f"{page}, {scheme}")

    def test_the_search_finds_targets_and_rules_by_the_keyboard_alone(self):
        self.open("index")
        self.browser.press("/")
        self.type("alph")
        self.assertEqual(self.browser.run("document.querySelector('#found a').firstChild.data"), "alpha")
        self.browser.press("ArrowDown")
        self.browser.press("Enter")
        self.browser.await_true("location.pathname.endsWith('/targets/alpha.html')")
        self.browser.await_true("document.documentElement.dataset.ready === 'yes'")
        self.browser.press("/")
        self.type("id-echo")
        self.browser.press("Enter")
        self.browser.await_true("location.pathname.endsWith('/requirements/id-echo.html')")

    def test_the_search_closes_and_says_when_there_is_nothing(self):
        self.open("index")
        self.browser.press("/")
        self.type("zzz")
        self.assertEqual(self.browser.run("document.getElementById('found').innerText"), "Nothing is called so.")
        self.browser.press("Escape")
        self.assertTrue(self.browser.run("document.getElementById('found').hidden"))

    def test_tables_sort_by_what_is_clicked(self):
        self.open("index")
        self.assertEqual(self.browser.run(NAMES), "beta,alpha")
        click = "[...document.querySelectorAll('thead button')].find((each) => each.innerText === 'name').click()"
        self.browser.run(click)
        self.assertEqual(self.browser.run(NAMES), "alpha,beta")
        self.assertEqual(self.browser.run("document.querySelector('[aria-sort]').getAttribute('aria-sort')"), "ascending")
        self.browser.run(click)
        self.assertEqual(self.browser.run(NAMES), "beta,alpha")

    def test_a_phone_sorts_by_a_list(self):
        self.browser.size(390, 800)
        self.open("index")
        self.browser.run("(() => { const box = document.querySelector('.sort-by'); box.value = '1'; box.dispatchEvent(new Event('change')); })()")
        self.assertEqual(self.browser.run(NAMES), "alpha,beta")

    def test_the_arrows_lead_through_the_matrix(self):
        self.open("matrix")
        self.browser.run("document.querySelector('.signs td a[tabindex=\"0\"]').focus()")
        first = self.browser.run("document.activeElement.getAttribute('href')")
        self.browser.press("ArrowRight")
        self.assertNotEqual(self.browser.run("document.activeElement.getAttribute('href')"), first)
        self.assertEqual(self.browser.run("document.querySelectorAll('.signs td a[tabindex=\"0\"]').length"), 1)

    def test_the_matrix_shows_what_somebody_breaks_and_all_where_asked(self):
        self.open("matrix")
        shown = "[...document.querySelectorAll('.signs tbody tr')].filter((each) => !each.hidden).length"
        few = self.browser.run(shown)
        self.browser.run("(() => { const box = document.querySelector('[aria-label=\"which rules\"]'); box.value = 'all'; "
                         "box.dispatchEvent(new Event('input')); })()")
        self.assertGreater(self.browser.run(shown), few)

    def test_a_link_to_a_target_on_the_page_of_a_rule_opens_it(self):
        self.open("requirements/id-echo", "#gamma")
        self.assertTrue(self.browser.run("document.getElementById('gamma').open"))

    def test_without_scripts_the_tables_are_there(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open("index")
            tree = self.browser.call("DOM.getDocument", depth=-1)
            self.assertIn("alpha.html", str(tree))
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)

    def test_on_paper_every_finding_is_open(self):
        self.open("targets/alpha")
        pdf = self.printed()
        self.assertLess(pages_of(pdf), 6)
        self.assertTrue(self.browser.run("[...document.querySelectorAll('details.card')].every((each) => each.open)"))

    def test_a_hostile_server_runs_nothing(self):
        self.open("targets/_epsilon_")
        self.assertIsNone(self.browser.run("window.pwned"))


if __name__ == "__main__":
    main(__doc__)
