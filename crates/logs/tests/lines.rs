//! Every line has exactly one class, and is an event only if it has what the event needs.

use statera_logs::{Piece, Plan, Read, Unused, read};

fn plan() -> Plan {
    Plan::new(include_str!("cardano.json")).expect("the built-in mapping holds")
}

fn of(text: impl AsRef<[u8]>) -> Read {
    read(&plan(), &mut Piece::new(text.as_ref().to_vec()))
}

/// cut, broken, noise, other, emitted
fn classes(text: impl AsRef<[u8]>) -> [u64; 5] {
    let counts = of(text).counts;
    let other: u64 = counts.others.iter().sum();
    let classes = [counts.cut, counts.broken, counts.noise, other, counts.emitted];
    assert_eq!(counts.lines, classes.iter().sum::<u64>());
    classes
}

const LOG: &str = r#"{"at":"2025-02-14T18:40:58Z","ns":"X","data":{}}"#;

fn with(at: &str, ns: &str, data: &str) -> String {
    format!(r#"{{"at":{at},"ns":{ns},"data":{data}}}"#)
}

#[test]
fn blank_lines_are_not_counted() {
    assert_eq!(classes(""), [0; 5]);
    assert_eq!(classes("\n \t\r\n\x0b\x0c\n  "), [0; 5]);
}

#[test]
fn each_class() {
    assert_eq!(classes(format!("{LOG}\n")), [0, 0, 0, 0, 1]);
    assert_eq!(classes("{\"broken\": \n"), [0, 1, 0, 0, 0]);
    assert_eq!(classes("  \t{]\n"), [0, 1, 0, 0, 0]);
    assert_eq!(classes("Listening on http://127.0.0.1:12798\n12345\n[1]\n\"{\"\nnull\n"), [0, 0, 5, 0, 0]);
    assert_eq!(classes("{\"msg\":\"no namespace\"}\n"), [0, 0, 0, 1, 0]);
}

#[test]
fn only_an_unfinished_last_line_that_is_no_json_is_cut() {
    assert_eq!(classes(LOG), [0, 0, 0, 0, 1]);
    assert_eq!(classes("12345"), [0, 0, 1, 0, 0]);
    assert_eq!(classes("{\"at\":\"20"), [1, 0, 0, 0, 0]);
    assert_eq!(classes("no json"), [1, 0, 0, 0, 0]);
    assert_eq!(classes("{\"at\":\"20\nno json\n"), [0, 1, 1, 0, 0]);
    assert_eq!(classes(format!("{{\n{LOG}\n{{")), [1, 1, 0, 0, 1]);
}

#[test]
fn a_carriage_return_is_white_space() {
    assert_eq!(classes(format!("{LOG}\r\n{{}}\r\n")), [0, 0, 0, 1, 1]);
}

#[test]
fn what_is_no_text_is_no_json() {
    assert_eq!(classes(b"{\"a\":\"\xff\"}\n{\"a\":\"\xc3\xa9\"}\n\xff\n"), [0, 1, 1, 1, 0]);
    assert_eq!(classes(b"{\"a\":\"\xff\"}"), [1, 0, 0, 0, 0]);
}

#[test]
fn json_is_what_the_standard_says() {
    for valid in [
        r#"{"a":[],"b":{},"c":[[],{}],"d":-0.5e+10,"e":"\u00e9\\\"\/\b\f\n\r\t","f":true,"g":false,"h":null}"#,
        "  { \"a\" : [ 1 , 2 ] , \"b\" : { \"c\" : 0 } }  ",
        r#"{"":0,"a":1E5,"b":-0}"#,
        "{\"a\":\"\u{7f}\u{2028}\"}",
    ] {
        assert_eq!(classes(format!("{valid}\n")), [0, 0, 0, 1, 0], "{valid}");
    }
    for broken in [
        "{",
        "{}}",
        "{}x",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":.5}",
        "{\"a\":+1}",
        "{\"a\":1e}",
        "{\"a\":-}",
        "{\"a\":NaN}",
        "{\"a\":Infinity}",
        "{\"a\":tru}",
        "{\"a\":truee}",
        "{\"a\":[1,]}",
        "{\"a\":[1}",
        "{\"a\":{]}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\\"}",
        "{\"a\":\"\t\"}",
        "{\"a\":\"x",
        "{\"a\" 1}",
        "{\"a\":1 2}",
        "{}{}",
        "{\"a\":\"\0\"}",
    ] {
        assert_eq!(classes(format!("{broken}\n")), [0, 1, 0, 0, 0], "{broken}");
    }
}

#[test]
fn any_depth_is_json() {
    let deep = format!("{{\"a\":{}{}}}\n", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(classes(deep), [0, 0, 0, 1, 0]);
}

#[test]
fn strings_of_every_length_end_where_they_end() {
    for length in 0..40 {
        let filler = "x".repeat(length);
        assert_eq!(classes(format!("{{\"{filler}\":\"{filler}\"}}\n")), [0, 0, 0, 1, 0]);
        assert_eq!(classes(format!("{{\"a\":\"{filler}\\\"{filler}\"}}\n")), [0, 0, 0, 1, 0]);
        assert_eq!(classes(format!("{{\"a\":\"{filler}\u{1f}{filler}\"}}\n")), [0, 1, 0, 0, 0]);
        assert_eq!(classes(format!("{{\"a\":\"{filler}\n{filler}\"}}\n"))[1], 1);
    }
}

#[test]
fn a_log_object_has_a_time_a_name_and_data() {
    let at = r#""2025-02-14 18:40:58.5 +01:00""#;
    for (line, reason) in [
        (with("\"not a time\"", "\"X\"", "{}"), 0),
        (with("1", "\"X\"", "{}"), 0),
        (r#"{"ns":"X","data":{}}"#.to_owned(), 0),
        (with(at, "[]", "{}"), 1),
        (with(at, "[\"X\",1]", "{}"), 1),
        (with(at, "{}", "{}"), 1),
        (with(at, "null", "{}"), 1),
        (with(at, "\"X\"", "[]"), 2),
        (with(at, "\"X\"", "\"{}\""), 2),
        (with(at, "\"X\"", "null"), 2),
    ] {
        let mut expected = [0; 4];
        expected[reason] = 1;
        assert_eq!(of(format!("{line}\n")).counts.others, expected, "{line}");
    }
    assert_eq!(classes(with(at, "\"\"", "{}")), [0, 0, 0, 0, 1]);
    assert_eq!(classes(with(at, "[\"X\"]", "{}")), [0, 0, 0, 0, 1]);
}

const AT: &str = r#""2025-02-14T18:40:58.000000001Z""#;
const HASH: &str = "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF";

fn event(ns: &str, data: &str) -> Option<String> {
    let (plan, read) = (plan(), of(with(AT, ns, data)));
    assert_eq!(read.counts.emitted, 1, "{ns} {data}");
    let skipped: u64 = read.counts.skipped.iter().flatten().sum();
    let analysed: u64 = read.counts.analysed.iter().sum();
    let unmapped: u64 = read.counts.unmapped.values().sum();
    assert_eq!(skipped + analysed + unmapped, 1);
    let number = read.counts.analysed.iter().position(|count| *count == 1)?;
    let events: Vec<u16> = read.tables.iter().flat_map(|table| table.event.clone()).collect();
    assert_eq!(events, [number as u16]);
    Some(plan.events[number].name.clone())
}

#[test]
fn names_have_three_forms_and_a_prefix() {
    let start = Some("Start".to_owned());
    for ns in [
        r#""Forge.Loop.StartLeadershipCheck""#,
        r#"["Forge.Loop.StartLeadershipCheckPlus"]"#,
        r#"["Forge","Loop","StartLeadershipCheck"]"#,
        r#"[ "Cardano","Node" , "Forge.Loop","StartLeadershipCheck" ]"#,
        r#""Cardano.Node.Forge.Loop.StartLeadershipCheck""#,
        r#""\u0046orge.Loop.StartLeadershipCheck""#,
    ] {
        assert_eq!(event(ns, r#"{"slot":1}"#), start, "{ns}");
    }
    for ns in
        [r#""cardano.node.Forge.Loop.LedgerView""#, r#""Forge.Stats.StartLeadershipCheck""#, r#""Forge""#]
    {
        assert_eq!(event(ns, r#"{"slot":1,"kind":"ForgingStats"}"#), None, "{ns}");
    }
}

#[test]
fn the_kind_decides_only_where_the_name_is_unknown() {
    let kind = r#"{"slot":1,"kind":"TraceNodeIsLeader"}"#;
    assert_eq!(event(r#"["cardano.node.Forge"]"#, kind), Some("Leader".to_owned()));
    assert_eq!(event(r#""Forge.Loop.LedgerState""#, kind), Some("LgrState".to_owned()));
    let stripped = r#"{"slot":1,"kind":"Cardano.Node.TraceNodeIsLeader"}"#;
    assert_eq!(event(r#""x""#, stripped), Some("Leader".to_owned()));
    assert_eq!(event(r#""x""#, r#"{"slot":1,"kind":["TraceNodeIsLeader"]}"#), None);
}

#[test]
fn legacy_data_are_one_level_deeper() {
    let inner = r#"{"credentials":"Cardano","val":{"kind":"TraceNodeIsLeader","slot":7}}"#;
    assert_eq!(event(r#"["cardano.node.Forge"]"#, inner), Some("Leader".to_owned()));
    // Without a kind `val` is a field like any other.
    assert_eq!(
        event(r#""Forge.Loop.NodeIsLeader""#, r#"{"slot":7,"val":{"slot":"x"}}"#),
        Some("Leader".to_owned())
    );
    assert_eq!(event(r#""Forge.Loop.NodeIsLeader""#, r#"{"slot":7,"val":{"kind":1}}"#), None);
}

#[test]
fn slots_are_numbers_that_are_not_negative() {
    let leader = r#""Forge.Loop.NodeIsLeader""#;
    for slot in ["0", "7", "{\"unSlotNo\":7}", "12345678", "1234567890123456", "9223372036854775807", "-0"] {
        assert!(event(leader, &format!("{{\"slot\":{slot}}}")).is_some(), "{slot}");
    }
    let beyond = ["1234567.5", "12345678.5", "12345678e1", "1234567890123456.5", "9223372036854775808"];
    for slot in ["-1", "1.0", "1e3", "true", "\"7\"", "null", "{\"unSlotNo\":-7}", "{}", "[7]"]
        .into_iter()
        .chain(beyond)
    {
        assert!(event(leader, &format!("{{\"slot\":{slot}}}")).is_none(), "{slot}");
    }
    assert!(event(r#""Forge.Loop.BlockContext""#, r#"{"slot":1}"#).is_none());
    assert!(event(r#""Forge.Loop.BlockContext""#, r#"{"current slot":1}"#).is_some());
}

#[test]
fn integers_of_any_length() {
    for length in 1..=19 {
        let digits = &"1234567890123456789"[..length];
        let line = with(AT, r#""Forge.Loop.NodeIsLeader""#, &format!("{{\"slot\":{digits}}}"));
        assert_eq!(Ok(of(line).tables[0].columns[0].integers[0]), digits.parse::<i64>());
    }
}

#[test]
fn a_skipped_event_leaves_no_value_behind() {
    let forged = |data: &str| with(AT, r#""Forge.Loop.ForgedBlock""#, &format!("{{{data}}}")) + "\n";
    let block = format!("\"block\":\"{HASH}\"");
    let parent = format!("\"blockPrev\":\"{HASH}\"");
    let whole = forged(&format!("{block},{parent},\"blockNo\":1,\"slot\":3"))
        + &forged(&format!("{block},\"blockPrev\":\"genesis\",\"blockNo\":2,\"slot\":4"));
    for skipped in [
        format!("{parent},\"blockNo\":1,\"slot\":3"),
        format!("{block},{parent},\"slot\":3"),
        format!("{block},{parent},\"blockNo\":1"),
        format!("{block},{parent}"),
    ] {
        let [expected, told] = [whole.repeat(2), whole.clone() + &forged(&skipped) + &whole].map(|text| {
            let mut read = of(text);
            let rows = read.tables[1].at.len();
            assert_eq!(rows, 4);
            let columns = read.tables[1].columns.iter_mut().map(|one| {
                let (valid, offsets) = (one.valid(rows), one.offsets(rows));
                (valid, offsets, one.text.clone(), one.take_integers(rows), one.take_numbers(rows))
            });
            columns.collect::<Vec<_>>()
        });
        assert_eq!(expected, told);
    }
}

#[test]
fn what_a_piece_knows_of_shapes_changes_nothing_in_the_next() {
    let leader =
        |slot: usize| with(AT, r#""Forge.Loop.NodeIsLeader""#, &format!("{{\"slot\":{slot}}}")) + "\n";
    let other = |slot: usize| {
        format!("{{\"at\":{AT},\"ns\":\"X{slot}\",\"data\":{{\"of\":{slot},\"é\":[{slot}]}}}}\n")
    };
    let broken = |slot: usize| leader(slot).replace('}', "") + "no log\n" + &other(slot).replace("]}", "]");
    let text = |line: &dyn Fn(usize) -> String| (0..400).map(line).collect::<String>().into_bytes();
    let mut bytes = text(&other);
    bytes.extend(b"{\"at\":\"\xff1\"}\n{\"at\":\"\xff2\"}\n");
    let series =
        [text(&leader), text(&leader), text(&other), bytes, text(&broken), text(&leader), text(&other)];
    let mut spare = Piece::new(Vec::new()).into_spare();
    for lines in series {
        let anew = of(&lines);
        spare.buffer = lines;
        let mut piece = Piece::of(spare);
        assert_eq!(format!("{:?}", read(&plan(), &mut piece)), format!("{anew:?}"));
        spare = piece.into_spare();
    }
}

#[test]
fn hashes_are_the_first_64_characters() {
    let fetched = r#""BlockFetch.Client.CompletedBlockFetch""#;
    for hash in
        [HASH.to_owned(), format!("{HASH}@12"), format!("{HASH}f"), HASH.replacen("00", "\\u0030\\u0030", 1)]
    {
        let read = of(with(AT, fetched, &format!("{{\"block\":\"{hash}\"}}")));
        assert_eq!(read.tables[1].columns[0].text, HASH.to_ascii_lowercase().as_bytes(), "{hash}");
    }
    for hash in [&HASH[1..], "", &HASH.replace('a', "g"), "genesis"] {
        assert!(event(fetched, &format!("{{\"block\":\"{hash}\"}}")).is_none(), "{hash}");
    }
    assert!(event(fetched, r#"{"block":12}"#).is_none());
}

#[test]
fn the_parent_may_be_unknown() {
    for prev in ["", ",\"blockPrev\":\"genesis\"", ",\"blockPrev\":null"] {
        let data = format!("{{\"block\":\"{HASH}\",\"blockNo\":{{\"unBlockNo\":0}},\"slot\":3{prev}}}");
        assert_eq!(event(r#""Forge.Loop.ForgedBlock""#, &data), Some("Forged".to_owned()));
    }
}

#[test]
fn announcements_that_are_none_are_skipped() {
    let update = r#""ChainSync.ServerHeader.Update""#;
    let tell = |more: &str| event(update, &format!("{{\"addBlock\":\"{HASH}@1\"{more}}}"));
    for more in
        ["", ",\"risingEdge\":true", ",\"blockingRead\":true,\"risingEdge\":null", ",\"risingEdge\":0"]
    {
        assert!(tell(more).is_some(), "{more}");
    }
    for more in
        [",\"risingEdge\":false", ",\"blockingRead\":false", ",\"rollBackTo\":\"x\"", ",\"rollBackTo\":null"]
    {
        assert!(tell(more).is_none(), "{more}");
    }
    assert!(event(update, &format!("{{\"block\":\"{HASH}\"}}")).is_some());
    assert!(event(update, "{}").is_none());
}

#[test]
fn a_request_without_a_length_is_of_one_block() {
    let request = |more: &str| {
        let data = format!("{{\"head\":\"{HASH}\"{more}}}");
        of(with(AT, r#""BlockFetch.Client.SendFetchRequest""#, &data)).tables[1].columns[5].integers.clone()
    };
    assert_eq!(request(""), [1]);
    assert_eq!(request(",\"length\":3"), [3]);
    assert_eq!(request(",\"length\":\"3\""), Vec::<i64>::new());
}

#[test]
fn the_delta_is_stated_or_a_difference() {
    let delta = |more: &str| {
        let data = format!("{{\"newtip\":\"{HASH}@5\"{more}}}");
        of(with(AT, r#""ChainDB.AddBlockEvent.SwitchedToAFork""#, &data)).tables[1].columns[4]
            .integers
            .clone()
    };
    let views = r#","newTipSelectView":{"chainLength":9},"oldTipSelectView":{"chainLength":11}"#;
    assert_eq!(delta(",\"chainLengthDelta\":2"), [2]);
    assert_eq!(delta(views), [-2]);
    assert_eq!(delta(&format!("{views},\"chainLengthDelta\":1")), [1]);
    assert_eq!(delta(&format!("{views},\"chainLengthDelta\":true")), [-2]);
    assert_eq!(delta(r#","newTipSelectView":{"chainLength":9}"#), Vec::<i64>::new());
}

#[test]
fn resources_need_one_counter() {
    let resources = r#"["cardano.node.resources"]"#;
    assert_eq!(event(resources, r#"{"kind":"Other","Heap":1}"#), Some("Resources".to_owned()));
    for data in ["{}", r#"{"Heap":true}"#, r#"{"Heap":1.5,"Threads":3}"#] {
        assert_eq!(event(resources, data), None, "{data}");
    }
}

#[test]
fn examples_say_where_they_stand() {
    let read = of(format!("{LOG}\n{{x\n\n{LOG}\nnoise\n{{y"));
    let place =
        |why| read.counts.examples[&why].iter().map(|one| (one.line, one.text.clone())).collect::<Vec<_>>();
    assert_eq!(place(Unused::Broken), [(2, "{x".to_owned())]);
    assert_eq!(place(Unused::Noise), [(5, "noise".to_owned())]);
    assert_eq!(place(Unused::Cut), [(6, "{y".to_owned())]);
    assert_eq!(read.height, 6);
}

#[test]
fn a_line_of_a_known_shape_is_checked_all_the_same() {
    let line = |at: &str, slot: &str| {
        with(&format!("\"{at}\""), r#""Forge.Loop.NodeIsLeader""#, &format!("{{\"slot\":{slot}}}"))
    };
    let at = "2025-02-14T18:40:58Z";
    let lines = [
        (line(at, "1"), 4),
        (line("2025-02-14T18:40:59.5Z", "22"), 4),
        (line(at, "01"), 1),
        (line(at, "-"), 1),
        (line(at, "1}"), 1),
        (line("2025-02-14T18:40:59\tZ", "1"), 1),
        (line("2025\\u002d02-14T18:40:59Z", "7"), 4),
        (line("", "3"), 3),
        (line(at, "\"3\""), 4),
        (line(at, "4").replace('}', ""), 1),
        (format!("{} ", line(at, "5")), 4),
        (line(at, "6"), 4),
    ];
    let mut expected = [0; 5];
    let mut text = String::new();
    for (line, class) in &lines {
        expected[*class] += 1;
        text.push_str(line);
        text.push('\n');
    }
    assert_eq!(classes(&text), expected);
    let slots = of(&text).tables[0].columns[0].integers.clone();
    assert_eq!(slots, [1, 22, 7, 5, 6]);
}
