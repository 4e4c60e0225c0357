//! The memory-hard part of scrypt (RFC 7914, sections 3 to 5).

use alloc::vec::Vec;

use crate::{Failure, NO_MEMORY};

type Words = [u32; 16];

fn quarter(x: &mut Words, a: usize, b: usize, c: usize, d: usize) {
    x[b] ^= x[a].wrapping_add(x[d]).rotate_left(7);
    x[c] ^= x[b].wrapping_add(x[a]).rotate_left(9);
    x[d] ^= x[c].wrapping_add(x[b]).rotate_left(13);
    x[a] ^= x[d].wrapping_add(x[c]).rotate_left(18);
}

/// Implements Salsa20/8.
fn salsa(block: &mut Words) {
    let mut x = *block;
    for _ in 0..4 {
        quarter(&mut x, 0, 4, 8, 12);
        quarter(&mut x, 5, 9, 13, 1);
        quarter(&mut x, 10, 14, 2, 6);
        quarter(&mut x, 15, 3, 7, 11);
        quarter(&mut x, 0, 1, 2, 3);
        quarter(&mut x, 5, 6, 7, 4);
        quarter(&mut x, 10, 11, 8, 9);
        quarter(&mut x, 15, 12, 13, 14);
    }
    for (word, mixed) in block.iter_mut().zip(x) {
        *word = word.wrapping_add(mixed);
    }
}

/// Computes scryptBlockMix: `from` into `to`, both of 2 r blocks.
fn block_mix(from: &[Words], to: &mut [Words]) {
    let half = from.len() / 2;
    let mut x = from[from.len() - 1];
    for (index, block) in from.iter().enumerate() {
        for (word, other) in x.iter_mut().zip(block) {
            *word ^= other;
        }
        salsa(&mut x);
        to[index / 2 + (index % 2) * half] = x;
    }
}

/// Computes scryptROMix with the cost `n`, a power of two, on each 128 r bytes of `data`, in place.
///
/// # Errors
/// When there is no memory for 128 n r bytes, or the numbers do not fit the data.
pub fn mix(data: &mut [u8], n: usize, r: usize) -> Result<(), Failure> {
    let count = r.checked_mul(2).filter(|count| *count > 0).ok_or("r is out of range")?;
    let whole = count.checked_mul(n).filter(|_| n.is_power_of_two()).ok_or("n is out of range")?;
    if !data.len().is_multiple_of(64 * count) {
        return Err("the data are not blocks of 128 r bytes");
    }
    let mut table: Vec<Words> = Vec::new();
    table.try_reserve_exact(whole).map_err(|_| NO_MEMORY)?;
    table.resize(whole, [0; 16]);
    let mut spare = table[..count].to_vec();
    for lane in data.chunks_exact_mut(64 * count) {
        let mut x: Vec<Words> = lane.chunks_exact(64).map(words).collect();
        for slot in table.chunks_exact_mut(count) {
            slot.copy_from_slice(&x);
            block_mix(slot, &mut x);
        }
        for _ in 0..n {
            let at = x[count - 1][0] as usize & (n - 1);
            for (block, other) in x.iter_mut().zip(&table[at * count..][..count]) {
                for (word, mixed) in block.iter_mut().zip(other) {
                    *word ^= mixed;
                }
            }
            block_mix(&x, &mut spare);
            core::mem::swap(&mut x, &mut spare);
        }
        for (bytes, word) in lane.chunks_exact_mut(4).zip(x.iter().flatten()) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
    Ok(())
}

fn words(bytes: &[u8]) -> Words {
    core::array::from_fn(|index| u32::from_le_bytes([bytes[4 * index], bytes[4 * index + 1], bytes[4 * index + 2], bytes[4 * index + 3]]))
}
