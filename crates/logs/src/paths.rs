//! The fields that somebody asked for, as a tree of keys: while a line is scanned, each key is looked up where it
//! stands.

/// No slot, or no place: nobody asked for it.
pub const NOWHERE: u16 = u16::MAX;

const BUCKETS: usize = 64;

/// A tree of keys. Every leaf, and every inner place that somebody asked for, has a slot.
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
    slot: u16,
    node: u16,
    /// The next child of the same bucket.
    next: u16,
}

impl Node {
    fn new() -> Self {
        Self { children: Vec::new(), buckets: [NOWHERE; BUCKETS] }
    }

    fn find(&self, key: &[u8]) -> Option<usize> {
        let mut at = self.buckets[bucket(key)];
        while at != NOWHERE {
            let child = &self.children[usize::from(at)];
            if *child.key == *key {
                return Some(usize::from(at));
            }
            at = child.next;
        }
        None
    }
}

/// Keys are short and few: their length and their ends tell almost all of them apart.
#[inline]
fn bucket(key: &[u8]) -> usize {
    let (first, last) = (key.first().copied().unwrap_or(0), key.last().copied().unwrap_or(0));
    (usize::from(first) * 7 + usize::from(last) * 13 + key.len() * 5) % BUCKETS
}

impl Default for Paths {
    fn default() -> Self {
        Self { nodes: vec![Node::new()], slots: 0 }
    }
}

impl Paths {
    /// Where a line begins.
    #[must_use]
    pub fn root(&self) -> u16 {
        0
    }

    /// How many slots there are.
    #[must_use]
    pub fn slots(&self) -> usize {
        usize::from(self.slots)
    }

    /// Asks for a field; gives its slot.
    ///
    /// # Errors
    /// There are too many.
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

    /// The slot and the place of a key; `NOWHERE` each if nobody asked.
    #[must_use]
    #[inline]
    pub fn child(&self, node: u16, key: &[u8]) -> (u16, u16) {
        let node = &self.nodes[usize::from(node)];
        node.find(key).map_or((NOWHERE, NOWHERE), |at| (node.children[at].slot, node.children[at].node))
    }

    fn child_or_new(&mut self, node: usize, key: &[u8]) -> Result<usize, String> {
        let node = &mut self.nodes[node];
        if let Some(found) = node.find(key) {
            return Ok(found);
        }
        let number = number(node.children.len())?;
        let next = std::mem::replace(&mut node.buckets[bucket(key)], number);
        node.children.push(Child { key: key.into(), slot: NOWHERE, node: NOWHERE, next });
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

/// The last numbers are taken by marks.
fn number(count: usize) -> Result<u16, String> {
    u16::try_from(count).ok().filter(|&number| number < NOWHERE - 1).ok_or("more than 65 000 fields".to_owned())
}
