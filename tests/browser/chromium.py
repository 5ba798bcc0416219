# SPDX-License-Identifier: Apache-2.0
"""Drives a headless Chromium over its DevTools pipe; standard library only."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """Path of a Chromium or Chrome, or None."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next(filter(None, map(shutil.which, names)), None)


class Browser:
    """A headless Chromium. Use it in a `with`."""

    def __init__(self, program):
        self._next_id, self._buffer, self._pages = 0, b"", {}
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_child, self._out = os.pipe()
        self._in, from_child = os.pipe()
        command = [program, "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu",
                   "--disable-extensions", "--disable-background-networking", "--hide-scrollbars",
                   f"--user-data-dir={self._folder.name}"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")  # Chromium's own sandbox refuses to run as root

        def pipes():  # Chromium reads commands from 3 and answers on 4
            a, b = os.dup(to_child), os.dup(from_child)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self._process = subprocess.Popen(command + ["about:blank"], preexec_fn=pipes, close_fds=False,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", deadline=time.monotonic() + 60)
        except (OSError, RuntimeError):
            self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)
        self._folder.cleanup()

    def page(self, width=1440, height=900, dark=False, deadline_s=60):
        """A new tab that shares no storage with others."""
        return Page(self, width, height, dark, deadline_s)

    def call(self, method, deadline, session=None, **params):
        """Sends one command and returns its result, which has to come before the deadline (of time.monotonic())."""
        self._next_id += 1
        message = {"id": self._next_id, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == self._next_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _receive(self, deadline):
        while b"\0" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._in], [], [], left)[0]:
                raise RuntimeError("Chromium did not answer in time")
            chunk = os.read(self._in, 1 << 20)
            if not chunk:
                raise RuntimeError("Chromium is gone")
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(line)
        if page := self._pages.get(message.get("sessionId")):
            page.note(message.get("method", ""), message.get("params", {}))
        return message


class Page:
    """One tab. Use it in a `with`; what the page complained about is in `complaints`, what it loaded in `requests`."""

    def __init__(self, browser, width, height, dark, deadline_s):
        self.complaints, self.requests = [], []
        self._browser, self._session = browser, None
        self._deadline = time.monotonic() + deadline_s
        self._context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=self._context)["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser._pages[self._session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        del self._browser._pages[self._session]
        self._session = None
        self.call("Target.disposeBrowserContext", browserContextId=self._context)

    def call(self, method, **params):
        """Sends one command to the tab and returns its result."""
        return self._browser.call(method, self._deadline, self._session, **params)

    def note(self, method, params):
        """Keeps an event that the browser reported of this tab."""
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def evaluate(self, expression):
        """Value of a JavaScript expression (a promise is waited for)."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']['exception'].get('description')}")
        return result["result"].get("value")

    def wait_for(self, expression, what):
        """Waits until the expression is true and returns its value; raises RuntimeError, naming `what`, if it does not become so."""
        while not (value := self.evaluate(expression)):
            if time.monotonic() + 0.1 > self._deadline:  # while an answer can still come in time
                raise RuntimeError(f"waited in vain for {what}; complaints: {self.complaints}")
            time.sleep(0.05)
        return value

    def open(self, path):
        self.call("Page.navigate", url=f"file://{path}")
        self.wait_for("document.readyState === 'complete' && location.protocol === 'file:'", "the page")

    def move_mouse(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press_key(self, key):
        """Presses and releases a key without a character, such as "ArrowRight"."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
