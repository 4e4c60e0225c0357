//! print FILE NAME…: the text of a module's exported functions.
fn main() {
    let mut args = std::env::args().skip(1);
    let bytes = std::fs::read(args.next().unwrap()).unwrap();
    let text = wasmprinter::print_bytes(&bytes).unwrap();
    for name in args {
        if let Some(import) = text.lines().find(|l| l.contains("(import") && l.contains(&format!("\"{name}\""))) { println!("{import}"); }
        let Some(export) = text.lines().find(|l| l.trim_start().starts_with(&format!("(export \"{name}\" (func"))) else { println!("{name}: not exported"); continue };
        let func = export.split("(func ").nth(1).unwrap().trim_end_matches(|c| c == ')');
        println!("== {export}");
        let heads = [format!("(func {func} "), format!("(func (;{func};) ")];
        let mut on = false;
        for (n, line) in text.lines().enumerate() {
            if heads.iter().any(|h| line.trim_start().starts_with(h.as_str())) { on = true; }
            else if on && line.starts_with("  (") { break; }
            if on { println!("{line}"); }
            let _ = n;
        }
    }
}
