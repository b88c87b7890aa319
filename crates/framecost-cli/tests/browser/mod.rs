//! A real browser for the tests of pages: Chromium without a window, spoken to over the DevTools protocol. In: a file. Out: what
//! its page holds, what it asked the network for, and what it complained of.

#![allow(unreachable_pub, reason = "a module of tests, each of which uses its own part")]
#![allow(clippy::print_stderr, reason = "a test says what it leaves out")]

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Where Chromium lies, unless `CHROME` names it.
const PLACES: [&str; 3] = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/// A browser that says nothing for so long hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Browser {
    child: Child,
    socket: WebSocket<TcpStream>,
    session: String,
    next: u64,
    events: Vec<Value>,
    _profile: tempfile::TempDir,
}

/// The browser, or none where `FRAMECOST_NO_BROWSER=allow` says that there is none.
///
/// # Panics
/// There is none, and nobody said so.
pub fn browser(what: &str) -> Option<Browser> {
    let named = std::env::var_os("CHROME").map(PathBuf::from);
    let found = named.into_iter().chain(PLACES.map(PathBuf::from)).find(|path| path.is_file());
    if let Some(path) = found {
        return Some(Browser::start(&path));
    }
    let allowed = std::env::var("FRAMECOST_NO_BROWSER").is_ok_and(|value| value == "allow");
    assert!(
        allowed,
        "no Chromium: `apt-get install chromium`, or name one in CHROME; FRAMECOST_NO_BROWSER=allow leaves this test out"
    );
    eprintln!("left out for want of a browser: {what}");
    None
}

impl Browser {
    fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let mut command = Command::new(program);
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--disable-dev-shm-usage",
            "--remote-debugging-port=0",
            "about:blank",
        ]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let url = loop {
            let mut line = String::new();
            assert!(said.read_line(&mut line).unwrap() > 0, "the browser ended before it listened");
            if let Some(url) = line.trim().strip_prefix("DevTools listening on ") {
                break url.to_owned();
            }
        };
        // Whatever else it says must not fill its pipe.
        std::thread::spawn(move || std::io::copy(&mut said, &mut std::io::sink()));
        let host = url.trim_start_matches("ws://").split('/').next().unwrap().to_owned();
        let stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (socket, _) = tungstenite::client(url, stream).unwrap();
        let mut browser =
            Self { child, socket, session: String::new(), next: 0, events: Vec::new(), _profile: profile };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attached = browser
            .call("Target.attachToTarget", &json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        browser.size(1280, 900);
        browser
    }

    /// Calls a method of the protocol and waits for its answer.
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(message.to_string())).unwrap();
        loop {
            let event = self.read();
            if event["id"] == json!(self.next) {
                assert!(event.get("error").is_none(), "{method}: {}", event["error"]);
                return event["result"].clone();
            }
        }
    }

    /// The next message; events are kept.
    fn read(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("the browser hangs or has ended") {
                let event: Value = serde_json::from_str(&text).unwrap();
                if event.get("id").is_none() {
                    self.events.push(event.clone());
                }
                return event;
            }
        }
    }

    /// Opens a file and waits until it is loaded and its scripts have run.
    pub fn open(&mut self, file: &Path) {
        self.events.clear();
        self.call("Page.navigate", &json!({ "url": format!("file://{}", file.display()) }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            self.read();
        }
    }

    /// The value of an expression in the page; waits for a promise.
    pub fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let done = self.call("Runtime.evaluate", &params);
        assert!(done.get("exceptionDetails").is_none(), "{expression}: {}", done["exceptionDetails"]);
        done["result"]["value"].clone()
    }

    /// As [`Self::eval`], of a text.
    pub fn text(&mut self, expression: &str) -> String {
        let value = self.eval(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// As [`Self::eval`], of a number.
    pub fn number(&mut self, expression: &str) -> f64 {
        let value = self.eval(expression);
        value.as_f64().unwrap_or_else(|| panic!("{expression} is {value}"))
    }

    /// The window's size in pixels.
    pub fn size(&mut self, width: u32, height: u32) {
        let params =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", &params);
    }

    /// A media feature as the page sees it, such as `prefers-color-scheme`.
    pub fn media(&mut self, name: &str, value: &str) {
        self.call("Emulation.setEmulatedMedia", &json!({ "features": [{ "name": name, "value": value }] }));
    }

    /// Presses and releases a key.
    pub fn key(&mut self, key: &str) {
        let text = if key.chars().count() == 1 { key } else { "" };
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            _ => 0,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut params = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            if kind == "keyDown" && !text.is_empty() {
                params["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", &params);
        }
    }

    /// Moves the pointer along these places, pressed from the first to the last.
    pub fn drag(&mut self, places: &[(f64, f64)]) {
        let mouse = |kind: &str, (x, y): (f64, f64), buttons: u8| json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return };
        self.call("Input.dispatchMouseEvent", &mouse("mouseMoved", first, 0));
        self.call("Input.dispatchMouseEvent", &mouse("mousePressed", first, 1));
        for &place in places {
            self.call("Input.dispatchMouseEvent", &mouse("mouseMoved", place, 1));
        }
        self.call("Input.dispatchMouseEvent", &mouse("mouseReleased", last, 0));
    }

    /// Turns the wheel over a place with Ctrl held.
    pub fn wheel(&mut self, (x, y): (f64, f64), by: f64) {
        const CTRL: u8 = 2;
        let params =
            json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by, "modifiers": CTRL });
        self.call("Input.dispatchMouseEvent", &params);
    }

    /// Clicks at the middle of the first element that the selector finds.
    pub fn click(&mut self, selector: &str) {
        let place = self.middle(selector);
        self.drag(&[place]);
    }

    /// The middle of an element, once it stands in the window.
    pub fn middle(&mut self, selector: &str) -> (f64, f64) {
        let found = self.eval(&format!(
            "(() => {{ const it = document.querySelector({}); it.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        ));
        (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
    }

    /// The URL of everything that the page asked for.
    pub fn requests(&self) -> Vec<String> {
        let asked = self.events.iter().filter(|event| event["method"] == "Network.requestWillBeSent");
        asked.map(|event| event["params"]["request"]["url"].as_str().unwrap().to_owned()).collect()
    }

    /// Why each request that came to nothing did not.
    pub fn blocked(&self) -> Vec<String> {
        let failed = self.events.iter().filter(|event| event["method"] == "Network.loadingFailed");
        failed
            .map(|event| event["params"]["blockedReason"].as_str().unwrap_or("not blocked").to_owned())
            .collect()
    }

    /// Exceptions that nobody caught, what went to the console, and what the browser itself logged.
    pub fn complaints(&self) -> Vec<String> {
        let kinds = ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"];
        let loud = self.events.iter().filter(|event| kinds.iter().any(|kind| event["method"] == *kind));
        loud.map(|event| event["params"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
