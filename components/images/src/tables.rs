//! Tables of quantization: by which number each coefficient is divided.

/// A table in the order of rows, not in zigzag.
pub(crate) type Table = [u16; 64];

/// The table for brightness that the standard (annex K) proposes, and libjpeg scales.
pub(crate) const LUMA: Table = [
    16, 11, 10, 16, 24, 40, 51, 61, //
    12, 12, 14, 19, 26, 58, 60, 55, //
    14, 13, 16, 24, 40, 57, 69, 56, //
    14, 17, 22, 29, 51, 87, 80, 62, //
    18, 22, 37, 56, 68, 109, 103, 77, //
    24, 35, 55, 64, 81, 104, 113, 92, //
    49, 64, 78, 87, 103, 121, 120, 101, //
    72, 92, 95, 98, 112, 100, 103, 99,
];

/// Returns the scale of a quality, in percent.
pub(crate) fn percent(quality: u8) -> u32 {
    match u32::from(quality.clamp(1, 100)) {
        quality @ ..50 => 5000 / quality,
        quality => 200 - quality * 2,
    }
}

/// Returns a table scaled, within what one byte holds.
pub(crate) fn scaled(table: &Table, percent: u32) -> Table {
    table.map(|value| ((u32::from(value) * percent + 50) / 100).clamp(1, 255) as u16)
}

/// Parses tables as text: 64 numbers each; `#` begins a comment.
pub(crate) fn parse(text: &str) -> Result<Vec<Table>, String> {
    let words = text.lines().flat_map(|line| line.split('#').next().unwrap_or_default().split([' ', '\t', ',', '\r']));
    let mut numbers = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        numbers.push(word.parse::<u16>().map_err(|_| format!("'{word}' is no number of a table of quantization"))?);
    }
    let (tables, rest) = numbers.as_chunks::<64>();
    match tables.len() {
        1..=4 if rest.is_empty() => Ok(tables.to_vec()),
        _ => Err(format!("{} numbers are not 1 to 4 tables of quantization, of 64 numbers each", numbers.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_scales_as_in_libjpeg() {
        assert_eq!([0, 1, 25, 49, 50, 75, 100].map(percent), [5000, 5000, 200, 102, 100, 50, 0]);
        assert_eq!(scaled(&LUMA, 50)[..3], [8, 6, 5]);
        assert_eq!(scaled(&LUMA, 0), [1; 64]);
        assert_eq!(scaled(&LUMA, 5000)[0], 255);
    }

    #[test]
    fn tables_are_read() {
        let text = format!("# a table\n{}\n{}", "1 2\t3,4 ".repeat(16), "9 ".repeat(64));
        let tables = parse(&text).unwrap();
        assert_eq!((tables.len(), &tables[0][..5], tables[1]), (2, &[1, 2, 3, 4, 1][..], [9; 64]));
        assert_eq!(parse("1 2"), Err("2 numbers are not 1 to 4 tables of quantization, of 64 numbers each".into()));
        assert_eq!(parse("-1"), Err("'-1' is no number of a table of quantization".into()));
    }
}
