//! What most formats take: the description of a format, the parts of a sheet, and the shapes of files.

pub(super) use super::csv_rows::Row;
pub(super) use super::durations::go_seconds;
pub(super) use super::format::{Format, Key, Meaning, Options, Processes, Read, Role, Values};
pub(super) use super::head::{Fit, Head, No};
pub(super) use super::json::{Document, Object, Span, Value, number_of, plain, push_value, stated};
pub(super) use super::load_metrics::percentile;
pub(super) use super::load_run::{Run, named_number};
pub(super) use super::numbered::Numbered;
pub(super) use super::page::known;
pub(super) use super::units::{Scale, is_known, meaning};
pub(super) use super::{
    console, csv_rows, durations, json, labelled, lines, load_metrics, names, parameters, scattered,
    timestamps, tracked, units,
};
pub(super) use crate::context::{self, Context};
pub(super) use crate::metric::{Better, Metric, Quantity};
pub(super) use crate::problem::Code;
pub(super) use crate::sheet::{Aggregate, Measurement, ROW, Sheet};
pub(super) use crate::source::Content;
pub(super) use crate::text::{excerpt, grouped, lossless, number};
pub(super) use crate::word_list::words;
pub(super) use std::borrow::Cow;
pub(super) use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
pub(super) use std::io;
pub(super) use std::path::Path;
