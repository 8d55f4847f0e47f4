//! What a computation leaves for the next one: bytes that say what they were made of, and that are whole or worth nothing.
//!
//! Nothing depends on them: whoever finds none, or damaged ones, computes everything anew.

/// The golden ratio, as 64 bits: an odd number without a pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number of bytes that differs for almost all other bytes. It finds damage, not malice: whoever can write what is kept
/// can write the uploads.
#[must_use]
pub fn hash(bytes: &[u8]) -> u64 {
    let mixed = |lane: u64, word: u64| (lane ^ word).wrapping_mul(FACTOR).rotate_left(29);
    // Four lanes do not wait for each other.
    let mut lanes = [1_u64, 2, 3, 4];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = mixed(*lane, u64::from_le_bytes(*word));
        }
    }
    let mut found = lanes.into_iter().fold(bytes.len() as u64, mixed);
    for byte in rest {
        found = mixed(found, u64::from(*byte));
    }
    found ^ found >> 32
}

/// Ends bytes: nothing may follow what it seals.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let seal = hash(&bytes);
    put(&mut bytes, seal);
    bytes
}

/// The bytes that were sealed; `None` if they are not the same any more.
pub fn opened(bytes: &[u8]) -> Option<&[u8]> {
    let (own, seal) = bytes.split_last_chunk()?;
    (hash(own) == u64::from_le_bytes(*seal)).then_some(own)
}

/// Appends a number.
pub fn put(to: &mut Vec<u8>, number: u64) {
    to.extend(number.to_le_bytes());
}

/// Appends a text with its length.
pub fn put_text(to: &mut Vec<u8>, text: &str) {
    put(to, text.len() as u64);
    to.extend(text.as_bytes());
}

/// Takes a number from the beginning of bytes.
pub fn take(from: &mut &[u8]) -> Option<u64> {
    let (number, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(u64::from_le_bytes(*number))
}

/// Takes a text.
pub fn take_text<'a>(from: &mut &'a [u8]) -> Option<&'a str> {
    let count = usize::try_from(take(from)?).ok()?;
    let (own, rest) = from.split_at_checked(count)?;
    *from = rest;
    std::str::from_utf8(own).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_bytes_are_not_opened() {
        let mut bytes = Vec::new();
        put_text(&mut bytes, "µs");
        put(&mut bytes, 7);
        let whole = sealed(bytes);
        let mut from = opened(&whole).expect("it is whole");
        assert_eq!((take_text(&mut from), take(&mut from), take(&mut from)), (Some("µs"), Some(7), None));
        for end in 0..whole.len() {
            assert!(opened(&whole[..end]).is_none());
            let mut other = whole.clone();
            other[end] ^= 4;
            assert!(opened(&other).is_none());
        }
    }
}
