//! Recognises the encoding of a text, and converts it to UTF-8.

use std::char::DecodeUtf16Error;
use std::io;

/// UTF-8's byte order mark.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    Utf16Little,
    Utf16Big,
}

/// Detects the encoding by its byte order mark, or by the zero bytes that UTF-16 puts beside every ASCII
/// letter.
pub(crate) fn encoding(head: &[u8]) -> Encoding {
    match head {
        [0xFF, 0xFE, ..] => return Encoding::Utf16Little,
        [0xFE, 0xFF, ..] => return Encoding::Utf16Big,
        // Parquet's numbers contain many zero bytes.
        [b'P', b'A', b'R', b'1', ..] => return Encoding::Utf8,
        _ => {}
    }
    let sample = &head[..head.len().min(512)];
    let zeros = |offset: usize| sample.iter().skip(offset).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, most) = (zeros(0), zeros(1), sample.len() * 2 / 5);
    match () {
        () if sample.len() < 4 => Encoding::Utf8,
        () if odd > most && even == 0 => Encoding::Utf16Little,
        () if even > most && odd == 0 => Encoding::Utf16Big,
        () => Encoding::Utf8,
    }
}

/// Converts to UTF-8 without a byte order mark.
pub(crate) fn transcode(mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let unit: fn([u8; 2]) -> u16 = match encoding(&bytes) {
        Encoding::Utf8 if bytes.starts_with(MARK) => {
            bytes.drain(..MARK.len());
            return Ok(bytes);
        }
        Encoding::Utf8 => return Ok(bytes),
        Encoding::Utf16Little => u16::from_le_bytes,
        Encoding::Utf16Big => u16::from_be_bytes,
    };
    if bytes.len() % 2 == 1 {
        return Err(io::Error::other("looks like UTF-16 but has an odd number of bytes. Write it as UTF-8"));
    }
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: Result<String, _> = char::decode_utf16(units).skip_while(is_mark).collect();
    let text = text.map_err(|_| io::Error::other("looks like UTF-16 but is not valid. Write it as UTF-8"))?;
    Ok(text.into_bytes())
}

fn is_mark(character: &Result<char, DecodeUtf16Error>) -> bool {
    matches!(character, Ok('\u{FEFF}'))
}
