"""Drives a headless Chromium over its debugging pipe, with nothing but Python's library."""
import base64
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest


def find_browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


# Texts with less contrast than WCAG 2.2 §1.4.3 asks for, as a page finds them in itself.
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


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


class Browser:
    """One tab. `problems` gathers exceptions, console errors and violations of the page's policy."""

    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="jrpcheck-browser-")
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        # It reads from descriptor 3 and writes to 4. Duplicated high first, lest one hide the other.
        def connect():
            high_in, high_out = os.dup2(to_browser, 60), os.dup2(from_browser, 61)
            os.dup2(high_in, 3)
            os.dup2(high_out, 4)
            os.closerange(5, 62)
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--no-first-run", "--disable-dev-shm-usage", "--user-data-dir=" + self.profile,
             "about:blank"],
            close_fds=False, preexec_fn=connect, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.last_id = 0
        self.session = None
        self.problems = []
        self.requests = []
        self.loaded = False
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(each for each in targets if each["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM"):
            self.call(domain + ".enable")

    def close(self):
        os.close(self.write_end)
        os.close(self.read_end)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, **parameters):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while True:
            answer = self.receive(30)
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def receive(self, seconds):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], seconds)
            if not ready:
                raise RuntimeError("the browser says nothing")
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise RuntimeError("the browser has ended")
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(line)
        self.note(message)
        return message

    def note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(parameters["exceptionDetails"])[:600])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.problems.append(json.dumps(parameters["args"])[:600])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(parameters["entry"]["text"][:600])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def open(self, path, fragment=""):
        # A change of the fragment alone would load nothing.
        self.loaded = False
        self.call("Page.navigate", url="about:blank")
        while not self.loaded:
            self.receive(30)
        self.problems, self.requests, self.loaded = [], [], False
        self.call("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        while not self.loaded:
            self.receive(30)

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {json.dumps(result['exceptionDetails'])[:600]}")
        return result["result"].get("value")

    def press(self, key, text=""):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "",
                      windowsVirtualKeyCode=codes.get(key, ord(key[0].upper())))

    def media(self, scheme="light", media=""):
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def await_true(self, expression, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run(expression):
                return
        raise RuntimeError("never true: " + expression)


class PagesTest(unittest.TestCase):
    """Pages that render-for-testing writes, in one browser."""
    renderer = ""
    window = (1440, 900)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = Browser(find_browser())
        cls.write_pages()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    @classmethod
    def path(cls, page):
        return os.path.join(cls.folder.name, page + ".html")

    @classmethod
    def write_page(cls, page):
        with open(cls.path(page), "wb") as file:
            subprocess.run([cls.renderer, "html", page], stdout=file, check=True)

    def setUp(self):
        self.browser.media()
        self.browser.size(*self.window)

    def open(self, page, fragment=""):
        self.browser.open(self.path(page), fragment)

    def tearDown(self):
        self.assertEqual(self.browser.problems, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith(("file:", "data:"))], [])

    def printed(self):
        return base64.b64decode(self.browser.call("Page.printToPDF")["data"])


def main(doc):
    if len(sys.argv) < 2:
        sys.exit(doc)
    PagesTest.renderer = sys.argv.pop(1)
    if find_browser() is None:
        print("SKIPPED: chromium is not installed")
        sys.exit(77)
    unittest.main()
