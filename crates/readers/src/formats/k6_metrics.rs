//! k6's metrics: what a metric of a script is, and what statera makes of it.

use super::format::{Key, Meaning, Role};
use super::units::Scale;
use crate::metric::{Better, Metric, Quantity};

/// What a metric collects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Samples, of which summaries state the mean and percentiles.
    Trend,
    /// A sum.
    Counter,
    /// The latest value.
    Gauge,
    /// The share of values that are not 0.
    Rate,
}

impl Kind {
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "trend" => Self::Trend,
            "counter" => Self::Counter,
            "gauge" => Self::Gauge,
            "rate" => Self::Rate,
            _ => return None,
        })
    }
}

/// The unit of a metric's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Contains {
    /// Milliseconds.
    Time,
    /// Bytes.
    Data,
    /// Numbers without a known unit.
    Plain,
}

impl Contains {
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "time" => Self::Time,
            "data" => Self::Data,
            "default" => Self::Plain,
            _ => return None,
        })
    }
}

/// What a metric is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Definition {
    pub(super) kind: Kind,
    pub(super) contains: Contains,
    /// The script defines it, not k6.
    own: bool,
}

impl Definition {
    /// The definition of a metric that a file describes.
    pub(super) fn new(name: &str, kind: Kind, contains: Contains) -> Self {
        Self { kind, contains, own: built_in(name).is_none() }
    }

    /// How to convert a value.
    pub(super) fn scale(self) -> Scale {
        if self.contains == Contains::Time { Scale::Over(1e3) } else { Scale::Times(1.0) }
    }

    /// The metric of its values, of their rate, or of a summary of them, whose name ends in `suffix`.
    pub(super) fn metric(self, name: &str, suffix: &str) -> Metric {
        let whole = format!("{name}{suffix}");
        match self.kind {
            Kind::Trend => self.trend(name, &whole),
            Kind::Counter => {
                let unit = if self.contains == Contains::Data { "B/s" } else { "1/s" };
                let better = match name {
                    "dropped_iterations" => Some(Better::Lower),
                    _ => (!self.own).then_some(Better::Higher),
                };
                let primary = matches!(name, "http_reqs" | "iterations");
                let made = Metric { better, primary, ..Metric::new(&whole, unit, Quantity::Throughput) };
                if name == "dropped_iterations" { made.of_validity() } else { made }
            }
            Kind::Gauge => Metric { better: None, ..self.plain(&whole) }.secondary(),
            Kind::Rate => {
                let better = match name {
                    "http_req_failed" | "browser_http_req_failed" | "checks_failed" => Some(Better::Lower),
                    "checks" | "checks_succeeded" => Some(Better::Higher),
                    _ => None,
                };
                let made = Metric { better, ..Metric::new(&whole, "", Quantity::Other) }.secondary();
                if better.is_some() { made.of_validity() } else { made }
            }
        }
    }

    fn trend(self, name: &str, whole: &str) -> Metric {
        let made = self.plain(whole);
        let is_time = self.contains == Contains::Time;
        let is_result = matches!(name, "http_req_duration" | "grpc_req_duration")
            || name.starts_with("browser_web_vital_");
        let primary = is_time && (self.own || is_result);
        let better = if is_time { made.better } else { None };
        Metric { better, primary, ..made }
    }

    fn plain(self, name: &str) -> Metric {
        match self.contains {
            Contains::Time => Metric::new(name, "s", Quantity::Time),
            Contains::Data => Metric::new(name, "B", Quantity::Bytes).never_exact(),
            Contains::Plain => Metric::new(name, "", Quantity::Other),
        }
    }
}

/// The metrics that k6 itself defines: every file means the same by them.
pub(super) fn built_in(name: &str) -> Option<Definition> {
    let (kind, contains) = match name {
        "http_reqs"
        | "iterations"
        | "dropped_iterations"
        | "ws_sessions"
        | "ws_msgs_sent"
        | "ws_msgs_received"
        | "grpc_streams"
        | "grpc_streams_msgs_sent"
        | "grpc_streams_msgs_received"
        | "checks_total" => (Kind::Counter, Contains::Plain),
        "data_sent" | "data_received" | "browser_data_sent" | "browser_data_received" => {
            (Kind::Counter, Contains::Data)
        }
        "http_req_duration"
        | "http_req_blocked"
        | "http_req_connecting"
        | "http_req_tls_handshaking"
        | "http_req_sending"
        | "http_req_waiting"
        | "http_req_receiving"
        | "iteration_duration"
        | "group_duration"
        | "ws_connecting"
        | "ws_session_duration"
        | "ws_ping"
        | "grpc_req_duration"
        | "browser_http_req_duration"
        | "browser_web_vital_fcp"
        | "browser_web_vital_fid"
        | "browser_web_vital_inp"
        | "browser_web_vital_lcp"
        | "browser_web_vital_ttfb" => (Kind::Trend, Contains::Time),
        // A shift of the layout has no unit.
        "browser_web_vital_cls" => (Kind::Trend, Contains::Plain),
        "vus" | "vus_max" => (Kind::Gauge, Contains::Plain),
        "checks" | "checks_failed" | "checks_succeeded" | "http_req_failed" | "browser_http_req_failed" => {
            (Kind::Rate, Contains::Plain)
        }
        _ => return None,
    };
    Some(Definition { kind, contains, own: false })
}

/// The keys of points.
pub(super) const KEYS: &[Key] = &[
    Key::of_work("scenario", Role::Setting, "scenario of the script"),
    Key::new("group", Role::Setting, "group of the script, with those around it"),
    Key::of_work("status", Role::Setting, "status of the response; 0 if there was none"),
    Key::of_work("error_code", Role::Setting, "k6's number of the error"),
    Key::new("proto", Role::Setting, "version of HTTP"),
    Key::new("tls_version", Role::Setting, "version of TLS"),
    Key::of_run("testid", Role::Run, "name that the user gives the run"),
];

/// The metrics of points.
pub(super) const METRICS: &[Meaning] = &[
    Meaning::of("http_req_duration", "time of a request, from its first byte sent to the last byte received"),
    Meaning::of("http_req_blocked", "time before a request could begin to connect"),
    Meaning::of("http_req_connecting", "time of connecting, where a request did"),
    Meaning::of("http_req_tls_handshaking", "time of the handshake of TLS, where there was one"),
    Meaning::of("http_req_sending", "time of sending a request"),
    Meaning::of("http_req_waiting", "time from the request sent to the first byte received"),
    Meaning::of("http_req_receiving", "time of receiving a response"),
    Meaning::of("http_req_failed", "share of the requests of a second that failed"),
    Meaning::of("http_reqs", "requests of a whole second"),
    Meaning::of("iterations", "iterations of the script in a whole second"),
    Meaning::of("data_received", "bytes received in a whole second"),
    Meaning::of("data_sent", "bytes sent in a whole second"),
    Meaning::of("iteration_duration", "time of an iteration of the script, with its pauses"),
    Meaning::of("group_duration", "time of a group of the script"),
    Meaning::of("checks", "share of the checks of a second that succeeded"),
    Meaning::of("vus", "number of virtual users"),
];
