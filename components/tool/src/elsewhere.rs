//! Programs that are not available, and what to use instead: a line after `command not found`.

/// Names, and their replacements.
const INSTEAD: &[(&str, &str)] = &[
    (
        "vi vim nvim nano emacs ex pico micro view vimdiff joe kak hx mcedit code subl gedit",
        "sed -i, ed, awk or python3 change files; cat, less and sed -n print them",
    ),
    (
        "gcc g++ cc c++ clang clang++ cmake ninja ld as rustc cargo go javac meson flex bison m4 autoconf automake pkg-config scala kotlin swift ghc dotnet mono",
        "there is no compiler in the sandbox; python3 runs scripts",
    ),
    ("make gmake bmake just task rake", "there is no make; run the commands of the Makefile's rule one by one or as a shell script"),
    (
        "pipx conda poetry virtualenv mamba pyenv venv easy_install pdm hatch",
        "pip installs packages of pure Python, for the user or after `python3 -m venv DIR`",
    ),
    (
        "apt apt-get dpkg yum dnf apk brew snap pacman apt-cache aptitude dpkg-query rpm zypper port flatpak nix update-alternatives",
        "programs cannot be installed; `ls /usr/bin` lists the available ones, `man -k WORD` finds one",
    ),
    ("sudo su doas pkexec runuser setpriv", "there is one user, who needs no other rights: run the command without it"),
    (
        "git hg svn gh hub cvs bzr fossil",
        "there is no version control; cp -a or tar keeps a copy, diff -ru and patch compare and change trees",
    ),
    ("perl", "sed -E, awk, grep -P or python3"),
    ("node nodejs deno bun npm npx yarn tsc pnpm ts-node qjs", "no JavaScript; python3 runs scripts, jq works on JSON"),
    ("ruby php lua tclsh Rscript R java julia octave expect guile", "python3 runs scripts; jq works on JSON"),
    ("curl wget http aria2c", "needs a policy that grants network access"),
    (
        "ssh scp sftp rsync telnet ftp nc ncat netcat socat ping dig nslookup traceroute lftp whois mtr nmap tcpdump ssh-keygen ssh-agent ssh-add aws gcloud az",
        "the sandbox opens no connections of this kind; cp -a and tar copy files",
    ),
    ("ip ifconfig netstat ss iptables route arp nmcli", "the sandbox has no network interfaces; `hostname` names it"),
    (
        "docker podman kubectl systemctl service crontab at screen tmux docker-compose helm journalctl loginctl atq batch byobu minikube kind k9s",
        "the sandbox runs no services; `command &`, `wait` and `timeout` run commands concurrently",
    ),
    (
        "terraform tofu ansible ansible-playbook pulumi packer vagrant vault consul nomad serverless cdk sam",
        "nothing outside can be managed from here; files for it can be written and checked with jq, yq and python3",
    ),
    (
        "top htop atop vmstat iostat mpstat sar w btop glances",
        "ps lists processes, free and uptime show memory and load, `time` measures, `ulimit -a` and `df` show limits",
    ),
    ("lsof fuser", "ls -l /proc/self/fd shows a process's own descriptors; those of other processes are not visible"),
    ("strace ltrace gdb lldb perf valgrind", "sh -x shows commands as they run; python3 -m pdb debugs Python programs"),
    ("sqlite", "sqlite3"),
    ("psql mysql mariadb mongo redis-cli duckdb", "sqlite3"),
    ("mlr csvkit csvcut csvgrep csvsql xsv qsv datamash", "awk -F, , sqlite3 -csv or python3's csv"),
    ("xmllint xmlstarlet xq xsltproc", "python3's xml.etree.ElementTree or xmltodict"),
    ("tomlq dasel jshon jo gron jd fx jc", "yq and jq"),
    ("ag ack pt", "rg, grep -rn"),
    ("fd fdfind locate mlocate", "find, rg --files"),
    ("bat batcat", "cat -n, less"),
    ("exa eza lsd ll", "ls, tree"),
    ("sdiff", "diff -y"),
    ("md5 shasum sha1 sha256 xxhsum b3sum", "md5sum, sha1sum, sha256sum"),
    ("openssl gpg gpg2 age", "sha256sum, base64, python3's hashlib"),
    ("7z 7za rar unrar cpio ar lz4 lzip compress uncompress brotli pigz pbzip2", "tar, zip, unzip, xz, zstd"),
    ("parallel", "xargs -P"),
    ("uuencode uudecode", "base64"),
    ("zsh fish dash ksh csh tcsh mksh pwsh", "bash, sh"),
    ("mount umount chroot unshare nsenter losetup fdisk mkfs", "the policy decides what is mounted; df lists it"),
    ("nosetests tox nox", "pytest"),
    ("coverage", "pytest runs tests; python3 -m trace --count shows which lines ran"),
    ("ipython bpython jupyter", "python3"),
    ("black flake8 pylint mypy ruff isort pyflakes", "python3 -m py_compile FILE checks the syntax"),
    (
        "lscpu lsblk lsusb lspci dmidecode sysctl dmesg modprobe hostnamectl timedatectl findmnt mountpoint lsb_release",
        "uname, nproc, df, date, /proc/meminfo and /etc/os-release describe the machine",
    ),
    ("taskset ionice renice chrt prlimit setarch", "there are no priorities or affinities: run the command without it"),
    ("lockfile dotlockfile lckdo setlock", "`flock FILE COMMAND`"),
    ("entr inotifywait fswatch watchman", "watch -g, or a loop with test -nt"),
    ("script asciinema", "`command 2>&1 | tee FILE`"),
    ("logger", "echo to a file or to standard error: there is no system log"),
    ("last lastlog finger write wall mesg mail sendmail", "there is one user and no mail"),
    (
        "passwd useradd usermod userdel adduser groupadd groupmod chsh chfn visudo",
        "there is one user, which `id` shows; /etc/passwd lists names",
    ),
    ("locale-gen localedef", "the locales are C and C.UTF-8"),
    ("pup htmlq lynx w3m links elinks html2text", "python3's bs4"),
    ("fzf sk peco", "grep, head"),
    ("rename prename mmv", "for f in *.a; do mv -- \"$f\" \"${f%.a}.b\"; done"),
    ("pv", "dd status=progress, wc -c"),
    ("ts", "while IFS= read -r line; do printf '%(%T)T %s\\n' -1 \"$line\"; done"),
    ("chronic", "out=$(command 2>&1) || printf '%s\\n' \"$out\""),
    ("vipe vidir ifne pee combine", "sponge, tee, xargs -r"),
    ("col colcrt colrm ul", "sed, cut"),
    ("look", "grep '^WORD'"),
    ("ncal", "cal"),
    ("namei", "readlink -f, ls -ld"),
    ("units qalc calc", "bc -l, python3"),
    ("primes", "factor"),
    ("gettext ngettext msgfmt xgettext", "python3's gettext"),
    ("diff3 meld colordiff icdiff wdiff dwdiff delta", "diff -u, diff -y, diff --color; patch"),
    (
        "gsed gfind ggrep gdate ghead gtail gls gcp gmv greadlink gstat gxargs gtar gsort gcut gwc gtr gbase64 gshuf gtimeout gmktemp",
        "the name without the g: the tools are GNU's",
    ),
    ("original-awk busybox toybox", "awk and the other tools by their own names"),
    ("crc32", "cksum, python3's zlib.crc32"),
    ("ldd nm objdump readelf strip ranlib addr2line size", "the programs are WebAssembly; file, od and xxd inspect files"),
    ("open xdg-open pbcopy pbpaste xclip xsel say notify-send", "files written to /output leave the sandbox"),
    (
        "dot convert magick ffmpeg pandoc pdftotext latex pdflatex gnuplot identify ffprobe sox exiftool qpdf gs tesseract tex",
        "there is no such program; python3's standard library may help",
    ),
];

/// Returns the replacement for a program that is not available.
pub fn instead(name: &[u8]) -> Option<&'static str> {
    let name = std::str::from_utf8(name).ok()?;
    INSTEAD.iter().find(|(names, _)| names.split(' ').any(|n| n == name)).map(|(_, hint)| *hint)
}

#[cfg(test)]
mod tests {
    use super::{INSTEAD, instead};

    #[test]
    fn no_name_is_listed_twice() {
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
