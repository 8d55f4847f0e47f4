//! Untrusted text in Markdown.
//!
//! Names are written in code spans, where neither Markdown nor HTML works and GitHub links nothing. Sentences that
//! hold names are escaped. Escapes alone do not keep GitHub and GitLab from linking, because they look for addresses and
//! mentions after they have removed them; an invisible joiner splits what would be linked.

use crate::names;

/// U+2060 has no width and prevents a line break. GitHub's patterns require a letter, a digit or a slash right after
/// the sign. None of them treats this invisible character as part of a word, while many do so with U+200D: `#`, U+200D
/// and `1` would still be one word.
const JOINER: char = '\u{2060}';

/// The longest fence that cmark, which GitHub uses, recognises.
const LONGEST_FENCE: usize = 79;

/// GitHub links this many hexadecimal digits as a commit.
const HASH: std::ops::RangeInclusive<usize> = 7..=40;

/// Writes a name as a code span.
#[must_use]
pub fn code(name: &str) -> String {
    let text = names::printable(name);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    if longest >= LONGEST_FENCE {
        return escaped(&text);
    }
    let fence = "`".repeat(longest + 1);
    let blank =
        if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// Writes a name as a code span in the cell of a table. A pipe ends a cell even within code, so it is escaped; Markdown
/// removes the backslash.
#[must_use]
pub fn code_in_table(name: &str) -> String {
    let span = code(name);
    // A name that is not in a code span is escaped already.
    if span.starts_with('`') { span.replace('|', "\\|") } else { span }
}

/// Escapes a text for Markdown, for a line, the cell of a table or an item of a list: nothing in it becomes a link, a
/// mention, a reference or a tag.
#[must_use]
pub fn escaped(text: &str) -> String {
    let text = parted(&names::printable(text));
    let mut to = String::with_capacity(text.len() + 16);
    for c in opening(&mut to, &text).chars() {
        match c {
            '&' => to.push_str("&amp;"),
            '<' => to.push_str("&lt;"),
            '>' => to.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' => to.extend(['\\', c]),
            c => to.push(c),
        }
    }
    to
}

/// Escapes a text for HTML within Markdown, such as `<summary>`, where Markdown does not work.
#[must_use]
pub fn escaped_html(text: &str) -> String {
    let text = parted(&names::printable(text));
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Escapes the beginning of a line that would make it a list item, a rule or the underline of a heading; returns the
/// rest.
fn opening<'a>(to: &mut String, text: &'a str) -> &'a str {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let mut signs = rest.chars();
    let (sign, next) = (signs.next(), signs.next());
    let item = digits > 0 && matches!(sign, Some('.' | ')')) && next.is_none_or(char::is_whitespace);
    let other =
        digits == 0 && matches!(sign, Some('-' | '+' | '=')) && matches!(next, Some(' ' | '-' | '+' | '='));
    if item || other {
        to.push_str(number);
        to.push('\\');
    }
    if item || other { rest } else { text }
}

/// Puts joiners into what GitHub or GitLab would link: mentions, references, addresses and commits.
fn parted(text: &str) -> String {
    let mut to = String::with_capacity(text.len() + 8);
    let (mut rest, mut before) = (text, "");
    while let Some(c) = rest.chars().next() {
        let word = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let (part, after) = rest.split_at(if word.is_empty() { c.len_utf8() } else { word.len() });
        part_or_word(&mut to, part, before, after.chars().next());
        (rest, before) = (after, part);
    }
    to
}

/// Writes a word, or a sign between words; `before` is the part before it, `next` the character after it.
fn part_or_word(to: &mut String, part: &str, before: &str, next: Option<char>) {
    if is_hash(part) {
        let pieces: Vec<&str> =
            (0..part.len()).step_by(6).map(|at| &part[at..(at + 6).min(part.len())]).collect();
        return to.push_str(&pieces.join(&JOINER.to_string()));
    }
    to.push_str(part);
    let links = match part {
        "@" | "#" => next.is_some_and(|next| !next.is_whitespace()),
        // GitLab: a merge request, an epic and a snippet.
        "!" | "&" | "$" => next.is_some_and(|next| next.is_ascii_digit()),
        "/" => next == Some('/'),
        "-" => before.eq_ignore_ascii_case("gh") && next.is_some_and(|next| next.is_ascii_digit()),
        word => word.eq_ignore_ascii_case("www") && next == Some('.'),
    };
    if links {
        to.push(JOINER);
    }
}

/// Whether a word could be a commit. A word of digits alone is a number, which people copy.
fn is_hash(word: &str) -> bool {
    HASH.contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_leave_its_code_span() {
        assert_eq!(code("a|b"), "`a|b`");
        assert_eq!(code_in_table("a|b"), "`a\\|b`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code(" a "), "`  a  `");
        assert_eq!(code("x\n<script>"), "`x\\n<script>`");
        let long = "`".repeat(LONGEST_FENCE);
        assert_eq!(code(&format!("{long}<b>")), format!("{}&lt;b&gt;", "\\`".repeat(LONGEST_FENCE)));
        assert_eq!(code_in_table(&format!("{long}|")), format!("{}\\|", "\\`".repeat(LONGEST_FENCE)));
    }

    #[test]
    fn what_github_links_is_parted() {
        for (text, shown) in [
            ("@user a@b.c @ x", "@·user a@·b.c @ x"),
            ("#1 o/r#2 C# x", "\\#·1 o/r\\#·2 C\\# x"),
            ("!1 g/p!2 &3 $4 a ! b", "!·1 g/p!·2 &amp;·3 \\$·4 a ! b"),
            ("GH-1 gh-22 ghx-1 gh-x", "GH-·1 gh-·22 ghx-1 gh-x"),
            ("https://a.b //c", "https:/·/a.b /·/c"),
            ("www.a WWW.b wwww.c", "www·.a WWW·.b wwww.c"),
            ("deadbee 1234567 abcdef", "deadbe·e 1234567 abcdef"),
            (&"ab".repeat(20), "ababab·ababab·ababab·ababab·ababab·ababab·abab"),
            (&"ab".repeat(32), &"ab".repeat(32)),
        ] {
            assert_eq!(escaped(text), shown.replace('·', "\u{2060}"));
            assert_eq!(escaped_html(text), shown.replace('·', "\u{2060}").replace('\\', ""));
        }
    }

    #[test]
    fn text_begins_no_block() {
        for (text, shown) in [
            ("- a", "\\- a"),
            ("---", "\\---"),
            ("=", "="),
            ("==", "\\=="),
            ("1. a", "1\\. a"),
            ("12) a", "12\\) a"),
            ("-1.5%", "-1.5%"),
            ("-", "-"),
            ("1.5 s", "1.5 s"),
        ] {
            assert_eq!(escaped(text), shown);
        }
        assert_eq!(escaped("<b>&lt; *_`[x](y)|~"), "&lt;b&gt;&amp;lt; \\*\\_\\`\\[x\\](y)\\|\\~");
    }
}
