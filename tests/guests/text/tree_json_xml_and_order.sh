cd "$(mktemp -d)" || exit 1
r() { "$@" 2>&1; echo "[$?]"; }
export TZ=UTC; mkdir -p td/a/b td/c td/.h; touch td/f1 td/a/f2 td/a/b/f3.txt td/.hid; ln -s f1 td/link; chmod +x td/f1; chmod 755 td td/a td/a/b td/c; chmod 644 td/a/f2 td/a/b/f3.txt; echo abc > td/c/x; chmod 644 td/c/x; touch -d '2024-01-02 03:04:05' td/c td/c/x
r 'tree' '--noreport' 'td'
r 'tree' '-J' 'td'
r 'tree' '-X' 'td'
r 'tree' 'nofile'
r 'tree' '--dirsfirst' 'td'
