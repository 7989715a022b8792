#!/usr/bin/env python3
"""How soon a site of 60 targets and 500 requirements shows something in a headless Chromium: site_paint.py RENDERER [TIMES]

RENDERER is render-for-testing of the build folder. For each page the median of the first contentful paint, and of the
time at which its script is done, both in milliseconds from the beginning of the navigation."""
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reports", "testdata"))
from browser import Browser, find_browser  # noqa: E402

renderer = sys.argv[1]
times = int(sys.argv[2]) if len(sys.argv) > 2 else 5
PAINT = """new Promise((done) => {
  const look = () => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint && document.documentElement.dataset.ready) done([paint.startTime, performance.timing.domComplete - performance.timing.navigationStart]);
    else requestAnimationFrame(look);
  };
  look();
})"""

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([renderer, "site=" + folder, "large"], check=True)
    browser = Browser(find_browser())
    try:
        for page in ("index", "matrix", "matrix-libraries", "requirements", "targets/target-1", "requirements/rule-1"):
            path = os.path.join(folder, page + ".html")
            measured = []
            for _ in range(times):
                browser.size(1440, 900)
                browser.open(path)
                measured.append(browser.run(PAINT))
            paint, ready = (statistics.median(each) for each in zip(*measured))
            print(f"{page:22} {os.path.getsize(path) / 1024:8.0f} KiB   first paint {paint:5.0f} ms   ready {ready:5.0f} ms")
    finally:
        browser.close()
