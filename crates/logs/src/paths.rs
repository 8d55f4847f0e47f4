//! The requested fields as a tree of keys: while a line is scanned, each key is looked up in place.

/// The root of the tree, where a line begins.
pub const ROOT: u16 = 0;

/// No slot, or no node: the field was not requested.
pub const NOWHERE: u16 = u16::MAX;

const BUCKETS: usize = 64;

/// A tree of keys. Every leaf, and every requested inner node, has a slot.
#[derive(Debug)]
pub struct Paths {
    nodes: Vec<Node>,
    slots: u16,
}

#[derive(Debug)]
struct Node {
    children: Vec<Child>,
    /// The first child whose key falls into the bucket.
    buckets: [u16; BUCKETS],
}

#[derive(Debug)]
struct Child {
    key: Box<[u8]>,
    word: u64,
    slot: u16,
    node: u16,
    /// The next child of the same bucket.
    next: u16,
}

impl Node {
    fn new() -> Self {
        Self { children: Vec::new(), buckets: [NOWHERE; BUCKETS] }
    }

    #[inline]
    fn find(&self, key: &[u8], word: u64) -> Option<&Child> {
        let mut at = self.buckets[bucket(key.len(), word)];
        while at != NOWHERE {
            let child = &self.children[usize::from(at)];
            if child.word == word
                && child.key.len() == key.len()
                && (key.len() <= WORD || child.key[WORD..] == key[WORD..])
            {
                return Some(child);
            }
            at = child.next;
        }
        None
    }
}

const WORD: usize = 8;

/// The first eight bytes of a key as a number, padded with zeros: most keys are compared in one step.
#[must_use]
#[inline]
pub fn word_of(key: &[u8]) -> u64 {
    match key.first_chunk::<WORD>() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => key.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// The same for a key in a buffer that is known to be readable for eight bytes from its start.
#[inline]
fn word_at(buffer: &[u8], start: usize, length: usize) -> u64 {
    let Some(bytes) = buffer[start..].first_chunk::<WORD>() else {
        return word_of(&buffer[start..start + length]);
    };
    let word = u64::from_le_bytes(*bytes);
    if length < WORD { word & ((1 << (8 * length)) - 1) } else { word }
}

#[inline]
fn bucket(length: usize, word: u64) -> usize {
    let mixed = (word ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 58) as usize % BUCKETS
}

impl Default for Paths {
    fn default() -> Self {
        Self { nodes: vec![Node::new()], slots: 0 }
    }
}

impl Paths {
    /// The number of slots.
    #[must_use]
    pub fn slots(&self) -> usize {
        usize::from(self.slots)
    }

    /// Requests a field and returns its slot.
    ///
    /// # Errors
    /// If there are too many fields.
    pub fn ask(&mut self, path: &[&str]) -> Result<u16, String> {
        let mut node = 0;
        for (depth, key) in path.iter().enumerate() {
            let child = self.child_or_new(node, key.as_bytes())?;
            if depth + 1 == path.len() {
                return self.slot_of(node, child);
            }
            node = self.node_of(node, child)?;
        }
        Err("an empty path names no field".to_owned())
    }

    /// The slot and the node of the key at `start..end`; each is `NOWHERE` if it was not requested.
    #[must_use]
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "called for every key of every line")]
    pub fn child_at(&self, node: u16, buffer: &[u8], start: usize, end: usize) -> (u16, u16) {
        let word = word_at(buffer, start, end - start);
        let found = self.nodes[usize::from(node)].find(&buffer[start..end], word);
        found.map_or((NOWHERE, NOWHERE), |child| (child.slot, child.node))
    }

    /// The same for a key that is not in a buffer.
    #[must_use]
    pub fn child(&self, node: u16, key: &[u8]) -> (u16, u16) {
        self.child_at(node, key, 0, key.len())
    }

    fn child_or_new(&mut self, node: usize, key: &[u8]) -> Result<usize, String> {
        let node = &mut self.nodes[node];
        if let Some(found) = node.children.iter().position(|child| *child.key == *key) {
            return Ok(found);
        }
        let word = word_of(key);
        let number = number(node.children.len())?;
        let next = std::mem::replace(&mut node.buckets[bucket(key.len(), word)], number);
        node.children.push(Child { key: key.into(), word, slot: NOWHERE, node: NOWHERE, next });
        Ok(usize::from(number))
    }

    fn slot_of(&mut self, node: usize, child: usize) -> Result<u16, String> {
        let slot = &mut self.nodes[node].children[child].slot;
        if *slot == NOWHERE {
            *slot = number(usize::from(self.slots))?;
            self.slots += 1;
        }
        Ok(*slot)
    }

    fn node_of(&mut self, node: usize, child: usize) -> Result<usize, String> {
        let fresh = number(self.nodes.len())?;
        let place = &mut self.nodes[node].children[child].node;
        if *place == NOWHERE {
            *place = fresh;
            self.nodes.push(Node::new());
        }
        Ok(usize::from(self.nodes[node].children[child].node))
    }
}

/// The last numbers are reserved as marks.
fn number(count: usize) -> Result<u16, String> {
    u16::try_from(count)
        .ok()
        .filter(|&number| number < NOWHERE - 1)
        .ok_or("more than 65 000 fields".to_owned())
}
