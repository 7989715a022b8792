#!/usr/bin/env python3
"""axe-core finds no fault in any page, in either theme and at two widths: axe_test.py RENDERER SOURCE.

It is looked for where AXE_CORE says, where scripts/setup puts it, and where npm and Debian do. Exits 77
where there is none, or no Chromium.
"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_browser  # noqa: E402

SITE = ("index", "matrix", "matrix-libraries", "requirements", "changes", "targets/alpha", "targets/_epsilon_", "targets/delta",
        "requirements/id-echo")
PAGES = ("ordinary", "hostile", "conforming", "empty", "servers", "before-and-after")
FAULTS = """axe.run(document).then((found) => found.passes.length < 10 ? 'axe has looked at nothing' : found.violations.map(
  (each) => `${each.id}: ${each.help}: ${each.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(', ')}`).join('\\n'))"""
OPEN = """(() => {
  for (const fold of [...document.querySelectorAll('details')].slice(0, 12)) fold.open = true;
  const sign = document.querySelector('.matrix button');
  if (sign) sign.click();
})()"""


def find_axe(source):
    for path in (os.environ.get("AXE_CORE", ""), os.path.join(source, ".cache/npm/node_modules/axe-core/axe.min.js"),
                 "/usr/local/lib/node_modules/axe-core/axe.min.js", "/usr/lib/node_modules/axe-core/axe.min.js",
                 "/usr/share/nodejs/axe-core/axe.min.js"):
        if path and os.path.exists(path):
            return path
    return None


def faults_of(browser, path, axe, width, scheme):
    browser.size(width, 900)
    browser.media(scheme)
    browser.open(path)
    browser.run(OPEN)
    browser.run(axe + "\n;undefined")
    return browser.run(FAULTS)


def main(renderer, source):
    axe = find_axe(source)
    if axe is None or find_browser() is None:
        print("SKIPPED:", "axe-core" if axe is None else "chromium", "is not installed")
        return 77
    with open(axe, encoding="utf-8") as file:
        text = file.read()
    failed = 0
    browser = Browser(find_browser())
    try:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([renderer, "site=" + folder, "ordinary"], check=True)
            for page in PAGES + SITE:
                path = os.path.join(folder, page + ".html")
                if page in PAGES:
                    with open(path, "wb") as file:
                        subprocess.run([renderer, "html", page], stdout=file, check=True)
                for width, scheme in ((1280, "light"), (1280, "dark"), (390, "light")):
                    faults = faults_of(browser, path, text, width, scheme)
                    print(f"{page}, {width} pixels, {scheme}: {faults or 'no fault'}")
                    failed += 1 if faults else 0
    finally:
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
