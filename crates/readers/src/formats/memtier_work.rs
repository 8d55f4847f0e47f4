//! The work of `memtier_benchmark`, from the configuration in its JSON.

use super::format::{Key, Role};
use super::json::{self, Value};
use crate::context::Context;
use crate::text::number;

pub(super) const KEYS: &[Key] = &[
    Key::of_work("protocol", Role::Setting, "protocol of the requests"),
    Key::of_work("tls", Role::Setting, "whether connections are encrypted").detail(),
    Key::of_work("rate", Role::Setting, "requests per second of a connection that are asked for"),
    Key::of_work("ratio", Role::Setting, "writes to reads"),
    Key::of_work("pipeline", Role::Setting, "requests in flight on each connection"),
    Key::of_work("transaction", Role::Setting, "whether commands are sent as a transaction").detail(),
    Key::of_work("data_size", Role::Setting, "bytes of a value"),
    Key::of_work("data_offset", Role::Setting, "place at which a part of a value is written or read")
        .detail(),
    Key::of_work("random_data", Role::Setting, "whether values are random").detail(),
    Key::of_work("data_size_range", Role::Setting, "bytes of a value, from and to"),
    Key::of_work("data_size_list", Role::Setting, "bytes of values with their weights"),
    Key::of_work("data_size_pattern", Role::Setting, "how sizes are spread over a range").detail(),
    Key::of_work("data_import", Role::Setting, "file of the values").detail(),
    Key::of_work("data_verify", Role::Setting, "whether values that are read are verified").detail(),
    Key::of_work("expiry_range", Role::Setting, "seconds until a value expires, from and to").detail(),
    Key::of_work("key_minimum", Role::Setting, "smallest key"),
    Key::of_work("key_maximum", Role::Setting, "largest key"),
    Key::of_work("key_pattern", Role::Setting, "order of the keys of writes and reads"),
    Key::of_work("key_stddev", Role::Setting, "deviation of keys from their median").detail(),
    Key::of_work("key_median", Role::Setting, "median of the keys").detail(),
    Key::of_work("key_zipf_exp", Role::Setting, "exponent of the distribution of keys").detail(),
    Key::of_work("reconnect_interval", Role::Setting, "requests until a connection is opened anew").detail(),
    Key::of_work("multi_key_get", Role::Setting, "keys of a read").detail(),
    Key::of_work("wait-ratio", Role::Setting, "writes to commands that wait for replicas").detail(),
];

/// The keys that a configuration states. What is not asked for is 0, false or empty.
pub(super) fn stated(configuration: &Value<'_>) -> Context {
    let field = |key: &'static str| if key == "rate" { "rate_limit" } else { key };
    let fields: Vec<_> = KEYS.iter().map(|key| (field(key.name), key.name)).collect();
    let asked =
        |value: &str| !matches!(value, "false" | "(null)" | "0:0") && number(value.as_bytes()) != Some(0.0);
    json::stated(configuration, &fields).into_iter().filter(|(_, value)| asked(value)).collect()
}
