//! Programs that are not here, and what does their work: a line behind `command not found`.

/// Names, and what stands in for them.
const INSTEAD: &[(&str, &str)] = &[
    ("vi vim nvim nano emacs ed ex pico micro", "sed -i, awk or python3 change files; cat, less and sed -n print them"),
    (
        "gcc g++ cc c++ clang clang++ make cmake ninja ld as rustc cargo go javac",
        "there is no compiler in the sandbox; python3 runs scripts",
    ),
    ("pip pip3 pipx conda uv poetry virtualenv", "python3 has its standard library; packages cannot be installed"),
    (
        "apt apt-get dpkg yum dnf apk brew snap pacman",
        "programs cannot be installed; `ls /usr/bin` lists those there are, `man -k WORD` finds one",
    ),
    ("sudo su doas pkexec", "there is one user, who needs no other rights: leave it out"),
    ("git hg svn", "diff -ru and patch compare and change trees; tar keeps a copy"),
    ("perl", "sed -E, awk, grep -P or python3"),
    ("ruby php lua tclsh Rscript node nodejs deno bun npm npx yarn tsc java", "python3 runs scripts; jq works on JSON"),
    ("curl wget http aria2c", "needs a policy that grants network access"),
    (
        "ssh scp sftp rsync telnet ftp nc ncat netcat socat ping dig nslookup host traceroute",
        "the sandbox opens no connections of this kind; cp -a and tar copy files",
    ),
    ("ip ifconfig netstat ss iptables", "the sandbox has no network interfaces; `hostname` names it"),
    (
        "docker podman kubectl systemctl service crontab at screen tmux",
        "the sandbox runs no services; `command &`, `wait` and `timeout` run things beside each other",
    ),
    ("top htop free vmstat lsof strace ltrace gdb perf", "ps lists processes, `time` measures, `ulimit -a` and `df` show limits"),
    ("sqlite", "sqlite3"),
    ("psql mysql mariadb mongo redis-cli duckdb", "sqlite3"),
    ("mlr csvkit csvcut csvgrep csvsql xsv qsv datamash", "awk -F, , sqlite3 -csv or python3's csv"),
    ("xmllint xmlstarlet xq", "python3's xml.etree.ElementTree"),
    ("tomlq dasel", "yq and jq"),
    ("ag ack pt", "rg, grep -rn"),
    ("fd fdfind locate mlocate", "find, rg --files"),
    ("bat batcat", "cat -n, less"),
    ("exa eza", "ls, tree"),
    ("gsed", "sed"),
    ("gfind", "find"),
    ("ggrep zgrep zegrep zfgrep xzgrep bzgrep", "grep, behind zcat, xzcat or bzcat"),
    ("nawk mawk original-awk", "awk"),
    ("zless zmore bzless xzless", "zcat, bzcat or xzcat before less"),
    ("zdiff zcmp xzdiff", "diff <(zcat A) <(zcat B)"),
    ("sdiff", "diff -y"),
    ("md5 shasum", "md5sum, sha1sum, sha256sum"),
    ("openssl gpg", "sha256sum, base64, python3's hashlib"),
    ("7z 7za rar unrar cpio ar", "tar, zip, unzip, xz, zstd"),
    ("parallel", "xargs -P"),
    ("dos2unix", "sed -i 's/\\r$//'"),
    ("unix2dos", "sed -i 's/$/\\r/'"),
    ("iconv", "python3: bytes.decode and str.encode"),
    ("uuidgen", "python3 -c 'import uuid; print(uuid.uuid4())'"),
    ("uuencode uudecode", "base64"),
    ("zsh fish dash ksh csh tcsh", "bash, sh"),
    ("mkfifo mknod", "pipelines and process substitution: `<(command)`"),
    ("mount umount chroot unshare", "what is mounted, the policy says; df lists it"),
    ("open xdg-open", "files written to /output leave the sandbox"),
    ("dot convert magick ffmpeg pandoc pdftotext latex pdflatex", "python3's standard library is what there is for this"),
];

/// What does the work of a program that is not here.
pub(super) fn instead(name: &[u8]) -> Option<&'static str> {
    let name = std::str::from_utf8(name).ok()?;
    INSTEAD.iter().find(|(names, _)| names.split(' ').any(|n| n == name)).map(|(_, hint)| *hint)
}

#[cfg(test)]
mod tests {
    use super::{INSTEAD, instead};

    #[test]
    fn no_name_is_there_twice() {
        let mut names: Vec<&str> = INSTEAD.iter().flat_map(|(names, _)| names.split(' ')).collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn whole_names_have_hints() {
        assert!(instead(b"vim").is_some_and(|hint| hint.contains("sed -i")));
        assert_eq!(instead(b"vimx"), None);
        assert_eq!(instead(b""), None);
        assert_eq!(instead(b"\xff"), None);
    }
}
