# fmt. Each line runs on the same files; fmt.out has its output, its status and the first line of its errors.
. /mnt/cases/lines
. /mnt/cases/more
while IFS= read -r line; do try "$line"; done <<'END'
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt -w 40
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt -w 20
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt -w 100
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt -u
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt -g 30
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt -w 60 -g 50
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt -50
printf '%s\n' 'Wisp runs programs in a sandbox of its own. It starts quickly (a few milliseconds), and "nothing" of the host is seen unless a policy says so: files, the network, the clock! Each denial is told, with what was asked, what refused it, and what to do. See also the design notes, e.g. the one on memory. Short. Then a longer sentence follows, whose words are of very different lengths, antidisestablishmentarianism included.' | fmt -s -w 50
fmt words.txt
fmt -w 20 words.txt
fmt -t words.txt
fmt -c conf.ini
fmt -s words.txt
fmt data.tsv
fmt crlf.txt | od -c | head -5
fmt latin1.txt | od -c | head
printf '* item one that is longer than others\n  and goes on\n* item two\n' | fmt -t -w 24
printf '# a comment that is rather long for this\n# width, with two lines\ncode()\n#\n  # indented\n  # twice\n' | fmt -p '#' -w 24
printf '> quoted mail text\n> more of it\n>> twice\nplain\n' | fmt -p '> ' -w 14
printf '    first line is indented\nthe others are not\nnone of them\n' | fmt -c -w 30
printf '\tone tab\n\ttwo tabs\n\nSentence one.\nSentence two.  Three. Four?\n' | fmt
printf '  a  b   c\n  d.\n  e\n' | fmt -u
printf 'a b c' | fmt
printf '\n\n\na\n \n' | fmt | cat -A
fmt -w x words.txt
fmt -w 2501 words.txt
fmt -w 20 -g 30 words.txt
fmt nope
fmt d1
fmt -Z
fmt words.txt -20
fmt nope s10
head -3 words.txt | fmt -
END
