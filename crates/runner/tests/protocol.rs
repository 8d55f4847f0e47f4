//! A line in, a line out. What commands do is tested in `tests/experiment/test_launcher*.py`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Runner {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Runner {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_statera-runner"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let requests = process.stdin.take().unwrap();
        let answers = BufReader::new(process.stdout.take().unwrap());
        Self { process, requests, answers }
    }

    fn ask(&mut self, line: &str) -> Value {
        writeln!(self.requests, "{line}").unwrap();
        self.answer()
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn end(mut self) -> Option<i32> {
        drop(self.requests);
        self.process.wait().unwrap().code()
    }
}

fn request(arguments: &[&str]) -> Value {
    json!({
        "arguments": arguments, "environment": [["PATH", "/usr/bin:/bin"]], "directory": "/", "captured": 1000,
    })
}

#[test]
fn requests_are_answered_in_turn_until_the_input_ends() {
    let mut runner = Runner::start();
    for code in [0, 3, 0] {
        let outcome = runner.ask(&request(&["sh", "-c", &format!("exit {code}")]).to_string());
        assert_eq!(outcome["exit"], code);
        assert_eq!(outcome["failure"], if code == 0 { Value::Null } else { json!("exit") });
    }
    assert_eq!(runner.end(), Some(0));
}

#[test]
fn two_requests_in_one_write_are_both_answered() {
    let mut runner = Runner::start();
    let (one, other) = (request(&["true"]), request(&["false"]));
    assert_eq!(runner.ask(&format!("{one}\n{other}"))["exit"], 0);
    assert_eq!(runner.answer()["exit"], 1);
    assert_eq!(runner.end(), Some(0));
}

#[test]
fn what_is_no_request_is_answered_with_the_reason() {
    let mut runner = Runner::start();
    let wrong = [
        ("garbage".to_owned(), "expected value"),
        ("{}".to_owned(), "no directory"),
        ("[1]".to_owned(), "no directory"),
        (request(&[]).to_string(), "no program"),
        (request(&["\u{20ac}"]).to_string(), "a character is not a byte"),
        (r#"{"arguments": ["\ud800"]}"#.to_owned(), "hex escape"),
    ];
    for (line, what) in wrong {
        let outcome = runner.ask(&line);
        assert_eq!(outcome["failure"], "starter", "{line}");
        assert!(outcome["message"].as_str().unwrap().contains(what), "{outcome}");
    }
    assert_eq!(runner.ask(&request(&["true"]).to_string())["exit"], 0);
    assert_eq!(runner.end(), Some(0));
}

#[test]
fn a_character_is_a_byte() {
    let mut runner = Runner::start();
    let script = r#"[ "$1" = "$(printf '\377\303\251')" ]"#;
    let outcome = runner.ask(&request(&["sh", "-c", script, "sh", "\u{ff}\u{c3}\u{a9}"]).to_string());
    assert_eq!(outcome["exit"], 0);
    assert_eq!(
        runner.ask(&request(&["\u{ff}"]).to_string())["message"],
        "\u{ff} is not found in the PATH /usr/bin:/bin"
    );
    runner.end();
}

#[test]
fn a_command_starts_at_the_time_that_is_given() {
    let mut runner = Runner::start();
    let first = runner.ask(&request(&["true"]).to_string());
    let at = first["started"].as_f64().unwrap() + 0.2;
    let mut later = request(&["true"]);
    later["at"] = json!(at);
    let started = runner.ask(&later.to_string())["started"].as_f64().unwrap();
    assert!(started >= at);
    // A time that has passed does not delay.
    assert!(runner.ask(&later.to_string())["started"].as_f64().unwrap() > started);
    runner.end();
}

#[test]
fn without_requests_it_ends() {
    assert_eq!(Runner::start().end(), Some(0));
}
