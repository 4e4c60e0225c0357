//! Snapshot files, split and joined according to the description of their format, with right checksums: what an
//! attacker could write.

/// The magic number and the format's.
pub const HEAD: usize = 12;

/// The numbers of the three parts of an interpreter, and of a shell's parts.
pub const INTERPRETER: [u8; 3] = [1, 2, 3];
/// See [`INTERPRETER`].
pub const SHELL: [u8; 3] = [5, 6, 3];

/// Its three parts, unpacked.
#[derive(Debug, Clone)]
pub struct Container {
    /// Magic number and format.
    pub head: Vec<u8>,
    /// The numbers of its parts.
    pub kinds: [u8; 3],
    /// The facts, in JSON.
    pub facts: serde_json::Value,
    /// The memory's pages, or a shell's state.
    pub memory: Vec<u8>,
    /// The filesystem.
    pub files: Vec<u8>,
}

impl Container {
    /// Splits a file.
    ///
    /// # Panics
    /// When it is not a snapshot file.
    pub fn read(bytes: &[u8]) -> Self {
        let (head, mut rest) = bytes.split_at(HEAD);
        let kinds = if rest[0] & 0x7f == SHELL[0] { SHELL } else { INTERPRETER };
        let mut parts = vec![Vec::new(); 3];
        let mut sum = blake3::Hasher::new();
        sum.update(head);
        loop {
            let kind = rest[0];
            let len = u32::from_le_bytes(rest[1..5].try_into().expect("four bytes")) as usize;
            sum.update(&rest[..5 + len]);
            assert_eq!(sum.finalize().as_bytes()[..], rest[5 + len..5 + len + 32]);
            if kind == 0x84 {
                assert_eq!((len, rest.len()), (0, 37));
                break;
            }
            let part = kinds.iter().position(|one| *one == kind & 0x7f).expect("each frame is of one of its parts");
            parts[part].extend_from_slice(&rest[5..5 + len]);
            rest = &rest[5 + len + 32..];
        }
        let unpack = |part: &Vec<u8>| zstd::stream::decode_all(&part[..]).expect("each part is one zstd frame");
        let facts = serde_json::from_slice(&unpack(&parts[0])).expect("the first part is JSON");
        Self { head: head.to_vec(), kinds, facts, memory: unpack(&parts[1]), files: unpack(&parts[2]) }
    }

    /// Joins it again.
    ///
    /// # Panics
    /// Never, except for lack of memory.
    pub fn write(&self) -> Vec<u8> {
        frames(&self.head, self.kinds, &self.packed())
    }

    /// Its parts as they are in a file.
    ///
    /// # Panics
    /// Never, except for lack of memory.
    pub fn packed(&self) -> [Vec<u8>; 3] {
        let pack = |part: &[u8]| zstd::bulk::compress(part, 1).expect("anything can be compressed");
        let facts = serde_json::to_vec(&self.facts).expect("it was JSON");
        [pack(&facts), pack(&self.memory), pack(&self.files)]
    }
}

/// A file of these parts as they are.
pub fn frames(head: &[u8], kinds: [u8; 3], parts: &[Vec<u8>]) -> Vec<u8> {
    let mut file = head.to_vec();
    let mut sum = blake3::Hasher::new();
    sum.update(head);
    let mut frame = |kind: u8, bytes: &[u8]| {
        let begin = file.len();
        file.push(kind);
        file.extend((bytes.len() as u32).to_le_bytes());
        file.extend(bytes);
        sum.update(&file[begin..]);
        file.extend(sum.finalize().as_bytes());
    };
    for (number, part) in kinds.into_iter().zip(parts) {
        let mut pieces = part.chunks(100_000).peekable();
        while let Some(piece) = pieces.next() {
            frame(number | if pieces.peek().is_none() { 0x80 } else { 0 }, piece);
        }
    }
    frame(0x84, &[]);
    file
}

/// SplitMix64: the same numbers every time.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below that.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    /// Some bytes changed, removed or inserted.
    pub fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(6) {
            let at = self.below(bytes.len());
            match self.below(6) {
                0 => bytes.truncate(at + 1),
                1 => bytes.insert(at, self.below(256) as u8),
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                _ => bytes[at] = self.below(256) as u8,
            }
        }
    }
}
