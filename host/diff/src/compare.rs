//! The lines in which two texts differ, by the algorithm of Myers (1986), within a bound of work.

use std::collections::HashMap;

/// Maximum lines that are found to differ one by one. Texts that differ in more, beside the lines that only one of them
/// has, are shown as replaced from the first of them to the last. What the search remembers grows with the square: 8 MB.
const MAX_EDITS: usize = 1_000;

/// Maximum steps of the search. Attack: two texts of millions of short lines.
const MAX_STEPS: usize = 30_000_000;

/// Which lines of each text the other does not have.
pub(crate) struct Marks {
    pub(crate) old: Vec<bool>,
    pub(crate) new: Vec<bool>,
}

/// Compares two texts. What is marked in neither is the same in both, line after line.
pub(crate) fn compare<'l>(old: &[&'l [u8]], new: &[&'l [u8]]) -> Marks {
    let mut numbers: Numbers<'l> = HashMap::new();
    let (a, b) = (number(&mut numbers, old, 0), number(&mut numbers, new, 1));
    let mut common = vec![false; numbers.len()];
    for (number, there) in numbers.values() {
        if let Some(common) = common.get_mut(*number as usize) {
            *common = *there == [true, true];
        }
    }
    // Lines that the other text does not have at all are changes; they would only slow down the search.
    let kept = |lines: &[u32]| -> Vec<usize> {
        (0..lines.len()).filter(|at| common.get(lines[*at] as usize).copied().unwrap_or_default()).collect()
    };
    let (kept_a, kept_b) = (kept(&a), kept(&b));
    let xs: Vec<u32> = kept_a.iter().map(|at| a[*at]).collect();
    let ys: Vec<u32> = kept_b.iter().map(|at| b[*at]).collect();
    let mut marks = Marks { old: vec![true; a.len()], new: vec![true; b.len()] };
    for (x, y) in same(&xs, &ys) {
        (marks.old[kept_a[x]], marks.new[kept_b[y]]) = (false, false);
    }
    marks
}

/// The number of each line, and which of the two texts have it.
type Numbers<'l> = HashMap<&'l [u8], (u32, [bool; 2])>;

/// Returns a number for each line; equal lines have equal numbers.
fn number<'l>(numbers: &mut Numbers<'l>, lines: &[&'l [u8]], side: usize) -> Vec<u32> {
    let mut all = Vec::with_capacity(lines.len());
    for line in lines {
        // A text has at most as many lines as bytes, and callers compare texts of a few MiB.
        let next = numbers.len() as u32;
        let (number, there) = numbers.entry(line).or_insert((next, [false, false]));
        there[side] = true;
        all.push(*number);
    }
    all
}

/// Returns pairs of elements that are the same and in the same order, as many as the search finds.
fn same(xs: &[u32], ys: &[u32]) -> Vec<(usize, usize)> {
    let first = xs.iter().zip(ys).take_while(|(x, y)| x == y).count();
    let last = xs[first..].iter().rev().zip(ys[first..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (inner_x, inner_y) = (&xs[first..xs.len() - last], &ys[first..ys.len() - last]);
    let mut pairs: Vec<(usize, usize)> = (0..first).map(|at| (at, at)).collect();
    pairs.extend(search(inner_x, inner_y).unwrap_or_default().into_iter().map(|(x, y)| (x + first, y + first)));
    pairs.extend((1..=last).map(|back| (xs.len() - back, ys.len() - back)));
    pairs
}

/// Finds the pairs of a shortest edit; nothing if it is too long.
fn search(xs: &[u32], ys: &[u32]) -> Option<Vec<(usize, usize)>> {
    let (n, m) = (xs.len() as isize, ys.len() as isize);
    let most = MAX_EDITS.min(xs.len() + ys.len());
    // The furthest x on each diagonal x - y; diagonal 0 is at `most + 1`.
    let mut furthest = vec![0_isize; 2 * most + 3];
    let at = |diagonal: isize| (diagonal + most as isize + 1) as usize;
    let (mut trace, mut steps): (Vec<Vec<isize>>, usize) = (Vec::new(), 0);
    for edits in 0..=most as isize {
        trace.push(furthest[at(-edits - 1)..=at(edits + 1)].to_vec());
        let mut diagonal = -edits;
        while diagonal <= edits {
            let (below, above) = (furthest[at(diagonal - 1)], furthest[at(diagonal + 1)]);
            let mut x = if goes_down(diagonal, edits, below, above) { above } else { below + 1 };
            let start = x;
            while x < n && x - diagonal < m && xs[x as usize] == ys[(x - diagonal) as usize] {
                x += 1;
            }
            furthest[at(diagonal)] = x;
            if x >= n && x - diagonal >= m {
                return Some(walk_back(&trace, n, m));
            }
            steps += (x - start) as usize + 1;
            diagonal += 2;
        }
        if steps > MAX_STEPS {
            return None;
        }
    }
    None
}

/// Returns whether the way to a diagonal comes from the one above it, by an element of the second sequence.
fn goes_down(diagonal: isize, edits: isize, below: isize, above: isize) -> bool {
    diagonal == -edits || (diagonal != edits && below < above)
}

/// Returns the pairs on the way that was found, from its end.
fn walk_back(trace: &[Vec<isize>], n: isize, m: isize) -> Vec<(usize, usize)> {
    let (mut x, mut y, mut pairs) = (n, m, Vec::new());
    for (edits, furthest) in trace.iter().enumerate().rev() {
        let edits = edits as isize;
        let at = |diagonal: isize| furthest[(diagonal + edits + 1) as usize];
        let diagonal = x - y;
        let down = goes_down(diagonal, edits, at(diagonal - 1), at(diagonal + 1));
        let from = if down { diagonal + 1 } else { diagonal - 1 };
        let (from_x, from_y) = (at(from), at(from) - from);
        while x > from_x && y > from_y && x > 0 && y > 0 {
            (x, y) = (x - 1, y - 1);
            pairs.push((x as usize, y as usize));
        }
        if edits > 0 {
            (x, y) = (from_x, from_y);
        }
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of both texts; those that are marked as upper case.
    fn show(old: &str, new: &str) -> String {
        let [a, b] = [old, new].map(|text| text.as_bytes().chunks(1).collect::<Vec<&[u8]>>());
        let marks = compare(&a, &b);
        let mark = |text: &str, marks: &[bool]| -> String {
            text.chars().zip(marks).map(|(char, mark)| if *mark { char.to_ascii_uppercase() } else { char }).collect()
        };
        format!("{} {}", mark(old, &marks.old), mark(new, &marks.new))
    }

    #[test]
    fn the_edits_are_the_fewest() {
        assert_eq!(show("", ""), " ");
        assert_eq!(show("abc", "abc"), "abc abc");
        assert_eq!(show("", "xy"), " XY");
        assert_eq!(show("xy", ""), "XY ");
        assert_eq!(show("xay", "xby"), "xAy xBy");
        assert_eq!(show("abcd", "acbd").chars().filter(char::is_ascii_uppercase).count(), 2);
        // The example of Myers' paper: five edits.
        assert_eq!(show("abcabba", "cbabac").chars().filter(char::is_ascii_uppercase).count(), 5);
    }

    /// What is not marked must be the same in both, and in the same order, whatever the texts are.
    #[test]
    fn what_is_not_marked_is_common() {
        let mut seed = 7_u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for round in 0..300 {
            let letters = 1 + round % 5;
            let mut text = |most: u64| (0..next(most)).map(|_| [b'a' + next(letters) as u8]).collect::<Vec<_>>();
            let (old, new) = (text(40), text(40));
            let [a, b] = [&old, &new].map(|text| text.iter().map(|line| &line[..]).collect::<Vec<&[u8]>>());
            let marks = compare(&a, &b);
            let rest = |lines: &[&[u8]], marks: &[bool]| -> Vec<u8> {
                lines.iter().zip(marks).filter(|(_, mark)| !**mark).flat_map(|(line, _)| line.to_vec()).collect()
            };
            assert_eq!(rest(&a, &marks.old), rest(&b, &marks.new), "{a:?} {b:?}");
        }
    }

    #[test]
    fn texts_that_differ_everywhere_are_replaced() {
        // The same lines in another order: every edit is one to be searched.
        let lines: Vec<String> = (0..4_000).map(|line| format!("{line}\n")).collect();
        let old: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
        let new: Vec<&[u8]> = old.iter().rev().copied().collect();
        let marks = compare(&old, &new);
        assert!(marks.old.iter().chain(&marks.new).all(|mark| *mark));
        // The twin: few of them moved.
        let new: Vec<&[u8]> = old[10..].iter().chain(&old[..10]).copied().collect();
        let marks = compare(&old, &new);
        assert_eq!(marks.old.iter().chain(&marks.new).filter(|mark| **mark).count(), 20);
    }
}
