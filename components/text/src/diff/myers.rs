//! The shortest edit between two sequences, by the algorithm of Myers (1986), in linear space.

/// Which elements of the two sequences are not common.
pub(super) struct Changes {
    /// Deleted from the first.
    pub old: Vec<bool>,
    /// Inserted into the second.
    pub new: Vec<bool>,
}

/// Compares two sequences of classes; `classes` is greater than the largest.
pub(super) fn compare(a: &[u32], b: &[u32], classes: usize, minimal: bool) -> Changes {
    let mut changes = Changes { old: vec![false; a.len()], new: vec![false; b.len()] };
    let prefix = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let suffix = a[prefix..].iter().rev().zip(b[prefix..].iter().rev()).take_while(|(x, y)| x == y).count();
    // Elements that the other side does not have at all are changes; they would only slow down the search.
    let keep = |mine: &[u32], other: &[u32], changed: &mut [bool]| {
        let mut there = vec![false; classes];
        other[prefix..other.len() - suffix].iter().for_each(|c| there[*c as usize] = true);
        let mut kept = Vec::new();
        for at in prefix..mine.len() - suffix {
            if there[mine[at] as usize] { kept.push(at) } else { changed[at] = true }
        }
        kept
    };
    let kept_a = keep(a, b, &mut changes.old);
    let kept_b = keep(b, a, &mut changes.new);
    let xs: Vec<u32> = kept_a.iter().map(|at| a[*at]).collect();
    let ys: Vec<u32> = kept_b.iter().map(|at| b[*at]).collect();
    let diagonals = xs.len() + ys.len() + 3;
    let mut cost = 1;
    let mut rest = diagonals;
    while rest != 0 {
        cost <<= 1;
        rest >>= 2;
    }
    let limit = if minimal { usize::MAX } else { cost.max(4096) };
    let mut search = Search {
        xs: &xs,
        ys: &ys,
        forward: vec![0; diagonals],
        backward: vec![0; diagonals],
        offset: ys.len() as isize + 1,
        limit,
        old: vec![false; xs.len()],
        new: vec![false; ys.len()],
    };
    search.run((0, xs.len() as isize), (0, ys.len() as isize));
    kept_a.iter().zip(&search.old).for_each(|(at, changed)| changes.old[*at] = *changed);
    kept_b.iter().zip(&search.new).for_each(|(at, changed)| changes.new[*at] = *changed);
    slide(a, &mut changes.old, &changes.new);
    slide(b, &mut changes.new, &changes.old);
    changes
}

struct Search<'a> {
    xs: &'a [u32],
    ys: &'a [u32],
    forward: Vec<isize>,
    backward: Vec<isize>,
    offset: isize,
    limit: usize,
    old: Vec<bool>,
    new: Vec<bool>,
}

type Range = (isize, isize);

impl Search<'_> {
    /// Compares parts of the sequences, with a work list instead of recursion.
    fn run(&mut self, x: Range, y: Range) {
        let mut work = vec![(x, y)];
        while let Some(((mut x0, mut x1), (mut y0, mut y1))) = work.pop() {
            while x0 < x1 && y0 < y1 && self.xs[x0 as usize] == self.ys[y0 as usize] {
                x0 += 1;
                y0 += 1;
            }
            while x0 < x1 && y0 < y1 && self.xs[x1 as usize - 1] == self.ys[y1 as usize - 1] {
                x1 -= 1;
                y1 -= 1;
            }
            if x0 == x1 {
                (y0..y1).for_each(|at| self.new[at as usize] = true);
            } else if y0 == y1 {
                (x0..x1).for_each(|at| self.old[at as usize] = true);
            } else {
                let (xm, ym) = self.middle((x0, x1), (y0, y1));
                work.push(((xm, x1), (ym, y1)));
                work.push(((x0, xm), (y0, ym)));
            }
        }
    }

    fn f(&mut self, d: isize) -> &mut isize {
        &mut self.forward[(d + self.offset) as usize]
    }
    fn b(&mut self, d: isize) -> &mut isize {
        &mut self.backward[(d + self.offset) as usize]
    }

    /// Returns a point in the middle of a shortest path through a part.
    fn middle(&mut self, (x0, x1): Range, (y0, y1): Range) -> (isize, isize) {
        let (dmin, dmax) = (x0 - y1, x1 - y0);
        let (fmid, bmid) = (x0 - y0, x1 - y1);
        let (mut fmin, mut fmax, mut bmin, mut bmax) = (fmid, fmid, bmid, bmid);
        let odd = (fmid - bmid) & 1 != 0;
        *self.f(fmid) = x0;
        *self.b(bmid) = x1;
        let mut cost = 0;
        loop {
            cost += 1;
            // Forward, one more step.
            if fmin > dmin {
                fmin -= 1;
                *self.f(fmin - 1) = -1;
            } else {
                fmin += 1;
            }
            if fmax < dmax {
                fmax += 1;
                *self.f(fmax + 1) = -1;
            } else {
                fmax -= 1;
            }
            let mut d = fmax;
            while d >= fmin {
                let (low, high) = (*self.f(d - 1), *self.f(d + 1));
                let mut x = if low < high { high } else { low + 1 };
                let mut y = x - d;
                while x < x1 && y < y1 && self.xs[x as usize] == self.ys[y as usize] {
                    x += 1;
                    y += 1;
                }
                *self.f(d) = x;
                if odd && bmin <= d && d <= bmax && *self.b(d) <= x {
                    return (x, y);
                }
                d -= 2;
            }
            // Backward, one more step.
            if bmin > dmin {
                bmin -= 1;
                *self.b(bmin - 1) = isize::MAX;
            } else {
                bmin += 1;
            }
            if bmax < dmax {
                bmax += 1;
                *self.b(bmax + 1) = isize::MAX;
            } else {
                bmax -= 1;
            }
            let mut d = bmax;
            while d >= bmin {
                let (low, high) = (*self.b(d - 1), *self.b(d + 1));
                let mut x = if low < high { low } else { high - 1 };
                let mut y = x - d;
                while x0 < x && y0 < y && self.xs[x as usize - 1] == self.ys[y as usize - 1] {
                    x -= 1;
                    y -= 1;
                }
                *self.b(d) = x;
                if !odd && fmin <= d && d <= fmax && x <= *self.f(d) {
                    return (x, y);
                }
                d -= 2;
            }
            if cost >= self.limit {
                return self.furthest((x0, x1), (y0, y1), (fmin, fmax), (bmin, bmax));
            }
        }
    }

    /// Returns the furthest point, for a search that takes too long.
    fn furthest(&mut self, (x0, x1): Range, (y0, y1): Range, (fmin, fmax): Range, (bmin, bmax): Range) -> (isize, isize) {
        let (mut best, mut point) = (-1, (x0, y0));
        let mut d = fmax;
        while d >= fmin {
            let mut x = (*self.f(d)).min(x1);
            let mut y = x - d;
            if y > y1 {
                (x, y) = (y1 + d, y1);
            }
            if x + y > best {
                (best, point) = (x + y, (x, y));
            }
            d -= 2;
        }
        let (mut least, mut back) = (isize::MAX, (x1, y1));
        let mut d = bmax;
        while d >= bmin {
            let mut x = (*self.b(d)).max(x0);
            let mut y = x - d;
            if y < y0 {
                (x, y) = (y0 + d, y0);
            }
            if x + y < least {
                (least, back) = (x + y, (x, y));
            }
            d -= 2;
        }
        if x1 + y1 - least < best - (x0 + y0) { point } else { back }
    }
}

/// Moves groups of changes that can be in several places: to join their neighbours, to be beside a change of the
/// other side, or else as late as possible.
fn slide(lines: &[u32], changed: &mut [bool], other: &[bool]) {
    // Whether the other side has changes before its n-th common line.
    let mut gaps = vec![false];
    for change in other {
        if *change {
            if let Some(gap) = gaps.last_mut() {
                *gap = true;
            }
        } else {
            gaps.push(false);
        }
    }
    let beside = |common: usize| gaps.get(common).copied().unwrap_or(false);
    let end = lines.len();
    let (mut i, mut common) = (0, 0);
    while i < end {
        if !changed[i] {
            common += 1;
            i += 1;
            continue;
        }
        let mut start = i;
        while i < end && changed[i] {
            i += 1;
        }
        loop {
            let length = i - start;
            while start > 0 && lines[start - 1] == lines[i - 1] {
                start -= 1;
                changed[start] = true;
                i -= 1;
                changed[i] = false;
                common -= 1;
                while start > 0 && changed[start - 1] {
                    start -= 1;
                }
            }
            let mut place = beside(common).then_some(i);
            while i < end && lines[start] == lines[i] {
                changed[start] = false;
                start += 1;
                changed[i] = true;
                i += 1;
                common += 1;
                while i < end && changed[i] {
                    i += 1;
                }
                if beside(common) {
                    place = Some(i);
                }
            }
            if length != i - start {
                continue;
            }
            while place.is_some_and(|place| place < i) {
                start -= 1;
                changed[start] = true;
                i -= 1;
                changed[i] = false;
                common -= 1;
            }
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(a: &str, b: &str) -> String {
        let code = |s: &str| s.bytes().map(u32::from).collect::<Vec<_>>();
        let changes = compare(&code(a), &code(b), 256, false);
        let mark = |s: &str, c: &[bool]| s.chars().zip(c).map(|(ch, c)| if *c { ch } else { '.' }).collect::<String>();
        format!("{} {}", mark(a, &changes.old), mark(b, &changes.new))
    }

    #[test]
    fn shortest_edits() {
        assert_eq!(show("abcabba", "cbabac"), "ab.a... ..a..c");
        assert_eq!(show("ab", "aab"), ".. .a.");
        assert_eq!(show("", "xy"), " xy");
        assert_eq!(show("xay", "xby"), ".a. .b.");
    }
}
