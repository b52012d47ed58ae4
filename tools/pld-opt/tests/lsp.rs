//! `pld-lsp-server`, spoken to as an editor does: JSON-RPC over its standard streams.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

/// How long to wait for an answer; only a server that hangs needs as much.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server and what it has said. Dropped, it ends the server.
struct Session {
    server: Child,
    input: Option<ChildStdin>,
    said: Receiver<Value>,
    requests: i64,
}

impl Session {
    fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_pld-opt"))
            // The binary is the tool that it is called by.
            .arg0("pld-lsp-server")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let output = server.stdout.take().expect("is piped");
        let (sender, said) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = receive(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            input: server.stdin.take(),
            server,
            said,
            requests: 0,
        }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let input = self.input.as_mut().expect("is open");
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.wait(|message| message["id"] == id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The next message that `is_it`; others before it are passed over.
    fn wait(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.said.recv_timeout(left).expect("the server answers");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Opens a document and returns what is found in it.
    fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({"uri": uri, "languageId": "mlir", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
        let found = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
        });
        let list = found["params"]["diagnostics"].as_array();
        list.expect("a list of diagnostics").clone()
    }

    /// An initialised session.
    fn ready() -> Self {
        let mut session = Self::start();
        let params = json!({"processId": null, "rootUri": null, "capabilities": {}});
        let answer = session.ask("initialize", params);
        assert_eq!(answer["capabilities"]["hoverProvider"], true, "{answer}");
        session.notify("initialized", json!({}));
        session
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The next message of a stream; `None` at its end.
fn receive(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            header => {
                if let Some(value) = header.strip_prefix("Content-Length: ") {
                    length = value.parse().ok()?;
                }
            }
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// Line and column of the first `word` of a text, from 0.
fn place(text: &str, word: &str) -> Value {
    let found = text
        .lines()
        .enumerate()
        .find_map(|(line, text)| Some((line, text.find(word)?)));
    let (line, character) = found.expect("the word is in the text");
    json!({"line": line, "character": character})
}

/// An editor shows our message, with its code, where the operation stands, and what mends it.
#[test]
fn diagnostics_carry_the_code() {
    let text = "\
func.func @core(%x: memref<37x29xf32>) attributes {pl.incore} {
  %t = pl.load %x[32, 0] : memref<37x29xf32> -> !pl.tile<8x29xf32>
  return
}
";
    let mut session = Session::ready();
    let found = session.open("test:///bad.mlir", text);
    assert_eq!(found.len(), 1, "{found:#?}");
    let message = found[0]["message"].as_str().expect("a message");
    assert!(
        message.contains("accesses 32 to 40 of dim 0") && message.ends_with("[pld-104]"),
        "{message}"
    );
    assert_eq!(found[0]["range"]["start"], place(text, "pl.load"));
    let notes = found[0]["relatedInformation"].to_string();
    assert!(notes.contains("valid [rows, columns]"), "{notes}");
}

/// Nothing is found in what is right, and hover knows our operations and types.
#[test]
fn an_example_is_clean_and_hover_names_the_operation() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/05_remote_load_store.mlir"
    );
    let text = std::fs::read_to_string(path).expect("the example");
    let uri = "test:///example.mlir";
    let mut session = Session::ready();
    assert_eq!(session.open(uri, &text), [Value::Null; 0]);
    let position = place(&text, "pld.remote_load");
    let hover = session.ask(
        "textDocument/hover",
        json!({"textDocument": {"uri": uri}, "position": position}),
    );
    let shown = hover["contents"]["value"].as_str().expect("text to show");
    assert!(
        shown.contains("\"pld.remote_load\"") && shown.contains("!pl.tile<1x64xf32>"),
        "{shown}"
    );
}

/// An editor that closes the session ends the server, with success.
#[test]
fn shutdown_ends_the_server() {
    let mut session = Session::ready();
    assert_eq!(session.ask("shutdown", Value::Null), Value::Null);
    session.notify("exit", Value::Null);
    session.input = None;
    let end = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = session.server.try_wait().expect("a child") {
            break status;
        }
        assert!(Instant::now() < end, "the server does not end");
        thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
}
