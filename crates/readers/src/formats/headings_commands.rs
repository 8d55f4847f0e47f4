//! The headings that scripts and terminals leave above what load generators print: command lines, and titles between two
//! lines of signs.

use std::collections::HashSet;

use super::headings::{Heading, named, title};

/// The depths of a title between signs, and of a command line: it is the nearest to the results.
pub(super) const TITLE: usize = 7;
pub(super) const COMMAND: usize = 10;

/// The title in a line, or the command line that starts one of these programs.
pub(super) fn above_run<'a>(line: &'a str, programs: &[&str]) -> Option<Heading<'a>> {
    let of_title = || Some((TITLE, named(title(line.trim())?)?));
    of_title().or_else(|| Some((COMMAND, command(line, programs)?)))
}

/// A command line with an option or an address that starts one of these programs, without its prompt. Without a prompt the
/// program is its first word or the first one of a later command: other lines that name it are prose.
fn command<'a>(line: &'a str, programs: &[&str]) -> Option<&'a str> {
    const BEFORE_COMMANDS: [&str; 7] = ["|", "&&", ";", "time", "sudo", "exec", "env"];
    let line = line.trim().trim_matches('`').trim();
    let is_program = |word: &str| programs.contains(&word.rsplit(['/', '\\']).next().unwrap_or(word));
    let is_argument = |word: &str| {
        word.contains("://")
            || word.strip_prefix('-').is_some_and(|rest| rest.contains(char::is_alphanumeric))
    };
    let text = match after_prompt(line).filter(|_| !line.split_whitespace().next().is_some_and(is_program)) {
        Some(text) => text.split_whitespace().any(is_program).then_some(text)?,
        // A row of a table is no command.
        None if line.starts_with('|') => return None,
        None => {
            let before = std::iter::once(";").chain(line.split_whitespace());
            let mut words = line.split_whitespace().zip(before);
            words
                .any(|(word, before)| is_program(word) && BEFORE_COMMANDS.contains(&before))
                .then_some(line)?
        }
    };
    text.split_whitespace().any(is_argument).then_some(text)
}

/// What follows the prompt of a shell, which is among the first words: `$`, `user@host:~$`, `[root@host ~]#`, or the `+` of
/// `set -x`.
fn after_prompt(line: &str) -> Option<&str> {
    let mut rest = line;
    for nth in 0..4 {
        let (word, after) = rest.split_once(char::is_whitespace)?;
        rest = after.trim_start();
        let before = word.trim_end_matches(['$', '%', '#', '>', '❯', '➜', '+']);
        let is_prompt = if before.is_empty() {
            // Between words `>` is a redirection.
            nth == 0 || !word.contains(['>', '+'])
        } else {
            before != word && !word.ends_with('+') && before.contains(['@', ':', '~', ']', '\\'])
        };
        if is_prompt {
            return Some(rest);
        }
    }
    None
}

/// Whether a line is nothing but one of the signs with which scripts frame a title.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let Some(sign) = line.chars().next().filter(|sign| "-=*_#+".contains(*sign)) else { return false };
    line.chars().all(|other| other == sign) && line.chars().count() >= 3
}

/// The numbers of the lines that are titles between two lines of signs. Below the title one line more can stand there, such
/// as the command.
pub(super) fn framed(lines: &[(u32, &str)]) -> HashSet<u32> {
    let mut found = HashSet::new();
    let mut rule: Option<usize> = None;
    for (at, (_, text)) in lines.iter().enumerate() {
        if !is_rule(text) {
            continue;
        }
        rule = match rule {
            Some(begin) if (2..=3).contains(&(at - begin)) && named(lines[begin + 1].1).is_some() => {
                found.insert(lines[begin + 1].0);
                None
            }
            _ => Some(at),
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_start_a_program() {
        for (line, found) in [
            ("$ wrk -t2 http://h/", Some("wrk -t2 http://h/")),
            ("  me@box:~/x$ ./wrk -c 4 h", Some("./wrk -c 4 h")),
            ("[root@box ~]# wrk -c4 h", Some("wrk -c4 h")),
            ("me@mac dir % wrk -c4 h", Some("wrk -c4 h")),
            (r"PS C:\b> wrk -c4 h > a.txt", Some("wrk -c4 h > a.txt")),
            ("+ wrk -s a.lua http://h/", Some("wrk -s a.lua http://h/")),
            ("❯ echo \"GET http://h/\" | wrk attack", Some("echo \"GET http://h/\" | wrk attack")),
            ("echo http://h/ > t && wrk -f t", Some("echo http://h/ > t && wrk -f t")),
            ("`wrk -t2 http://h/`", Some("wrk -t2 http://h/")),
            ("wrk -t2 http://h/ > a.txt", Some("wrk -t2 http://h/ > a.txt")),
            ("$ wrk", None),
            ("wrk report", None),
            ("$ hey http://h/", None),
            ("We started wrk with -t2 for http://h/", None),
            ("| wrk | http://h/ |", None),
            ("Running 10s test @ http://h/", None),
            ("$", None),
            ("", None),
        ] {
            assert_eq!(command(line, &["wrk"]), found, "{line:?}");
        }
    }

    #[test]
    fn titles_stand_between_two_lines_of_signs() {
        for (text, expected) in [
            ("----\n a\n----\nb\n----\n", &[2][..]),
            ("====\na\n$ b\n====\n====\nc\n====\n", &[2, 6]),
            ("----\na\nb\nc\n----\nd\n-----\n", &[6]),
            ("----\n----\n\n----\n", &[]),
            ("--\na\n--\n", &[]),
            ("a\n----\n", &[]),
        ] {
            let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
            let mut found: Vec<u32> = framed(&lines).into_iter().collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
