// rs-trafilatura with its default options and the address of the page. Reads one request per line, {"file", "url"}, and
// writes one answer per line, {"markdown", "error", "cpuMs"}, after a first line that says it is ready.
use rs_trafilatura::{extract_with_options, Options};
use serde_json::{json, Value};
use std::io::{stdin, stdout, BufRead, Write};
use std::panic::catch_unwind;

fn main() {
    // A page on which it panics is a failed page.
    std::panic::set_hook(Box::new(|_| {}));
    answer(json!("ready"));
    for line in stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("a request");
        let html = std::fs::read_to_string(request["file"].as_str().expect("a file")).expect("a page");
        let url = request["url"].as_str().map(str::to_owned);
        let before = cpu_ms();
        let result = catch_unwind(|| {
            let options = Options { url, ..Options::default() };
            extract_with_options(&html, &options).map(|page| page.content_text).map_err(|error| error.to_string())
        })
        .unwrap_or_else(|_| Err("panicked".to_owned()));
        let cpu_ms = cpu_ms() - before;
        answer(match result {
            Ok(text) => json!({ "markdown": text, "cpuMs": cpu_ms }),
            Err(error) => json!({ "markdown": "", "error": error, "cpuMs": cpu_ms }),
        });
    }
}

fn answer(value: Value) {
    let mut out = stdout().lock();
    writeln!(out, "{value}").expect("an open pipe");
    out.flush().expect("an open pipe");
}

/// User and system time of all threads so far.
fn cpu_ms() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
