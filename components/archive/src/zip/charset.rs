//! Names in archives of DOS, Windows and OS/2, which have the code page of the machine that made them: `unzip -O` says which, and `-I` for
//! archives of others.

use super::format::Entry;
use super::options::Line;
use encoding_rs::Encoding;

/// The systems in an entry's first field that have code pages.
const FAT: u16 = 0;
const HPFS: u16 = 6;
const NTFS: u16 = 11;

/// Code page 850 in ISO-8859-1, with what is alike for what that lacks: what Info-ZIP makes of a name without `-O`.
const OEM: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×\u{83}áíóúñÑªº¿®¬½¼¡«»¦¦¦¦¦ÁÂÀ©¦¦\u{2b}\u{2b}¢¥\u{2b}\u{2b}\u{2d}\u{2d}\u{2b}\u{2d}\u{2b}ãÃ\u{2b}\u{2b}\u{2d}\u{2d}¦\u{2d}\u{2b}¤ðÐÊËÈ\u{69}ÍÎÏ\u{2b}\u{2b}¦\u{5f}¦Ì¯ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±\u{3d}¾¶§÷¸°¨·¹³²¦\u{a0}";

/// The characters of DOS's code pages from 0x80 on, by number; U+FFFD where there is none.
const PAGES: &[(&str, &str)] = &[
    (
        "437",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        "737",
        "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        "775",
        "ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ¢ŚśÖÜø£Ø×¤ĀĪóŻżź”¦©®¬½¼Ł«»░▒▓│┤ĄČĘĖ╣║╗╝ĮŠ┐└┴┬├─┼ŲŪ╚╔╩╦╠═╬Žąčęėįšųūž┘┌█▄▌▐▀ÓßŌŃõÕµńĶķĻļņĒŅ’\u{ad}±“¾¶§÷„°∙·¹³²■\u{a0}",
    ),
    (
        "850",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    ),
    (
        "852",
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
    ),
    (
        "855",
        "ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪаАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀ЯрРсСтТуУжЖвВьЬ№\u{ad}ыЫзЗшШэЭщЩчЧ§■\u{a0}",
    ),
    (
        "857",
        "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\u{fffd}ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\u{fffd}×ÚÛÙìÿ¯´\u{ad}±\u{fffd}¾¶§÷¸°¨·¹³²■\u{a0}",
    ),
    (
        "858",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈ€ÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    ),
    (
        "860",
        "ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        "861",
        "ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø£Ø₧ƒáíóúÁÍÓÚ¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        "862",
        "אבגדהוזחטיךכלםמןנסעףפץצקרשת¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        "863",
        "ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        "865",
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
];

/// The encoding of names.
#[derive(Clone, Copy)]
enum Charset {
    Page(&'static str),
    Other(&'static Encoding),
}

impl Charset {
    /// Returns an encoding by one of its names: `cp932`, `IBM437`, `GBK`, `koi8-r`.
    fn named(name: &[u8]) -> Option<Self> {
        let name = std::str::from_utf8(name).ok()?.to_ascii_lowercase();
        let plain = name.replace(['-', '_', ' '], "");
        let number = ["cp", "ibm", "oem", "ms", "windows", ""].iter().find_map(|before| {
            plain.strip_prefix(before).filter(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if let Some((_, page)) = PAGES.iter().find(|(known, _)| number == Some(*known)) {
            return Some(Self::Page(page));
        }
        let label = match number {
            Some("932" | "943") => "shift_jis",
            Some("936") => "gbk",
            Some("949") => "euc-kr",
            Some("950") => "big5",
            Some("54936") => "gb18030",
            Some("65001") => "utf-8",
            Some("866") => "ibm866",
            Some(number) => return Encoding::for_label(format!("windows-{number}").as_bytes()).map(Self::Other),
            None => name.as_str(),
        };
        Encoding::for_label(label.as_bytes()).or_else(|| Encoding::for_label(plain.as_bytes())).map(Self::Other)
    }

    /// Returns a name in UTF-8, if it is in this encoding.
    fn read(self, name: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Page(page) => {
                let text: String = name.iter().map(|byte| high(page, *byte)).collect();
                (!text.contains(char::REPLACEMENT_CHARACTER)).then(|| text.into_bytes())
            }
            Self::Other(encoding) => {
                encoding.decode_without_bom_handling_and_without_replacement(name).map(|text| text.into_owned().into_bytes())
            }
        }
    }
}

/// Returns the character of a byte in a code page.
fn high(page: &str, byte: u8) -> char {
    match usize::from(byte).checked_sub(0x80) {
        None => char::from(byte),
        Some(at) => page.chars().nth(at).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// How names of entries are read.
pub(super) struct Names {
    /// `-O`: in archives of DOS, Windows and OS/2.
    dos: Option<Charset>,
    /// `-I`: in others.
    others: Option<Charset>,
}

impl Names {
    /// Reads the options; the error is the value of one that names no encoding.
    pub(super) fn new(line: &Line) -> Result<Self, String> {
        let named = |letter| match line.value(letter) {
            None => Ok(None),
            Some(name) => Charset::named(name).map(Some).ok_or_else(|| crate::text::shown(name)),
        };
        Ok(Self { dos: named('O')?, others: named('I')? })
    }

    /// Returns the name of an entry: in UTF-8 if its encoding is known, otherwise as Info-ZIP has it.
    pub(super) fn of(&self, entry: &Entry) -> Vec<u8> {
        let (system, version) = (entry.made_by >> 8, entry.made_by & 0xff);
        // The entry says itself that its name is UTF-8.
        if entry.flags & 0x800 != 0 || entry.name.is_ascii() {
            return entry.name.clone();
        }
        let dos = matches!(system, FAT | HPFS | NTFS);
        if let Some(charset) = if dos { self.dos } else { self.others } {
            return charset.read(&entry.name).unwrap_or_else(|| entry.name.clone());
        }
        // Many programs write UTF-8 and do not say so.
        let own = matches!(system, FAT | HPFS) || (system == NTFS && version == 50);
        if !own || std::str::from_utf8(&entry.name).is_ok() {
            return entry.name.clone();
        }
        // ISO-8859-1 has the first 256 characters of Unicode.
        entry.name.iter().map(|byte| u8::try_from(u32::from(high(OEM, *byte))).unwrap_or(*byte)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &[u8], made_by: u16, flags: u16) -> Entry {
        Entry { name: name.to_vec(), made_by, flags, ..Entry::default() }
    }

    #[test]
    fn encodings_have_many_names() {
        for (name, bytes, text) in [
            ("cp932", &b"\x93\xfa\x96{.txt"[..], "日本.txt"),
            ("Shift_JIS", b"\x83\x5c", "ソ"),
            ("GBK", b"\xc1\xf5", "刘"),
            ("936", b"\xc1\xf5", "刘"),
            ("CP866", b"\xae\xe2\xe7\xf1\xe2", "отчёт"),
            ("IBM437", b"M\x81ller \xb0", "Müller ░"),
            ("cp850", b"\x9d", "Ø"),
            ("KOI8-R", b"\xc4\xc1", "да"),
            ("windows-1251", b"\xe4\xe0", "да"),
            ("latin1", b"\xe9", "é"),
            ("EUC-KR", b"\xc7\xd1", "한"),
            ("big5", b"\xa4\xa4", "中"),
            ("utf8", "é".as_bytes(), "é"),
        ] {
            let read = Charset::named(name.as_bytes()).and_then(|charset| charset.read(bytes));
            assert_eq!(read.as_deref(), Some(text.as_bytes()), "{name}");
        }
        for name in ["", "nosuch", "cp99999", "\u{e9}"] {
            assert!(Charset::named(name.as_bytes()).is_none(), "{name}");
        }
        assert!(Charset::named(b"cp932").is_some_and(|charset| charset.read(b"\x93").is_none()));
        for (number, page) in PAGES {
            assert_eq!(page.chars().count(), 128, "{number}");
        }
        assert!(OEM.chars().count() == 128 && OEM.chars().all(|c| u32::from(c) < 256));
    }

    #[test]
    fn names_follow_the_system_of_the_archive() {
        let plain = Names { dos: None, others: None };
        let asked = Names { dos: Charset::named(b"cp437"), others: Charset::named(b"cp1251") };
        let (dos, unix) = (20, 0x31e);
        assert_eq!(plain.of(&entry(b"M\x81ller", dos, 0)), b"M\xfcller");
        assert_eq!(plain.of(&entry(b"M\x81ller", unix, 0)), b"M\x81ller");
        assert_eq!(plain.of(&entry("Mü".as_bytes(), dos, 0)), "Mü".as_bytes());
        assert_eq!(asked.of(&entry(b"M\x81ller", dos, 0)), "Müller".as_bytes());
        assert_eq!(asked.of(&entry(b"\xe4\xe0", unix, 0)), "да".as_bytes());
        assert_eq!(asked.of(&entry("Mü".as_bytes(), dos, 0x800)), "Mü".as_bytes());
    }
}
