//! The text below the options in `--help`: examples and exit codes.

pub(crate) const WISP: &str = "\
Examples:
  wisp run -- sh -c 'echo hi | wc -c'
  wisp run --mount ./data:/mnt/input --output ./results -- python3 /mnt/input/report.py
  wisp explain
  wisp check policies/*.toml

Each subcommand has examples of its own: `wisp run --help`.";

pub(crate) const RUN: &str = "\
Examples:
  wisp run -- sh -c 'echo hi | wc -c'
  echo 'print(6 * 7)' | wisp run -- python3
      standard input is passed on
  wisp run --mount ./data:/mnt/input --output ./results -- \\
      sh -c 'sort /mnt/input/names.txt | uniq -c > /output/counts.txt'
      reads ./data, leaves ./results/counts.txt
  wisp run --mount ./data.csv:/mnt/input/data.csv -- wc -l /mnt/input/data.csv
      a single file
  wisp run -- sh
      at a terminal: an interactive shell with history, Tab, Ctrl-C and Ctrl-Z; exit or Ctrl-D leaves
  wisp run --policy minimal --timeout 2s -- sh -c 'while :; do :; done'
      ends with status 124 after two seconds
  wisp run --set limits.memory=1GiB --workdir /tmp -- python3 -c 'print(len(bytes(700_000_000)))'
      any key of the policy, for this run
  wisp run --session work -- sh -c 'cd /tmp; n=41; echo hi > note'
  wisp run --session work -- sh -c 'pwd; echo $((n + 1)); cat note'
      the second continues where the first ended
  wisp run --resident --session work -- sh -c 'cat note'
      the same, from a program that calls again and again: the session stays open between the calls
  wisp run --output results --tool wordfreq=./wordfreq.wasm -- \\
      sh -c 'echo to be or not to be | wordfreq'
      a component of yours as a program
  wisp run --policy fetch --allow https://docs.rs/ --mount .:/mnt/input -- \\
      python3 /mnt/input/fetch.py
      may read https://docs.rs/…, and nothing else
  wisp run --allow 'GET,POST https://api.example.com/v1/' --mount .:/mnt/input -- \\
      sh /mnt/input/post.sh
      the same with POST
  wisp run --env LANG=de_DE.UTF-8 --json --inline -- python3 -c 'print(1)'

In the sandbox:
  /home/user   where the command starts
  /mnt         a good place for mounts
  /output      files written here are handed back
  /usr/bin     the programs: `ls /usr/bin`

Exit codes:
  the command's own, or
  2    a mistake in the options or the policy; nothing was run
  124  the time limit (limits.wall) ended it
  125  wisp itself failed, or something is lost: its output cannot be written, a result is not copied
  126  the program exists, but cannot be run
  127  there is no such program
  129  SIGHUP ended wisp, and 143 SIGTERM; the command had 5 seconds to clean up
  137  another limit ended it: memory, processor time, processes, output
  141  it wrote to a pipe without a reader
  A command that a signal ends has 128 plus the signal's number. With --json, `end` in the document says
  how it ended, also where nothing was run, and `limit` names the limit.";

pub(crate) const EXPLAIN: &str = "\
Examples:
  wisp explain
      what the built-in policy, `offline`, lets its tools reach
  wisp explain --policy policies/minimal.toml
  wisp explain --mount ./data:/mnt/input --tool wordfreq=./wordfreq.wasm
      the same with a mount and a component of yours, before anything runs
  wisp explain --policy research.toml --for-model > prompt.md
      a description of the sandbox for the model
  wisp explain --json
      {policy, policy_digest, summary: [{about, text}], limits: [{key, value, rule}],
       components: [{name, digest, world_digest, imports: [{interface, decision, rule, reason}]}]}

It begins with ten lines for a person, and the limits with the rules that set them.

Decisions:
  host     linked to the host, limited to what the policy grants
  virtual  satisfied inside the sandbox: memory, pipes, a seeded generator
  denied   removed from the component; calls fail with the interface's own error
  refused  not available: the session would not start (exit code 2)";

pub(crate) const CHECK: &str = "\
Examples:
  wisp check research.toml
  wisp check policies/*.toml
  wisp check offline

Exit codes:
  0    no findings
  2    findings; they are on standard error
  125  wisp itself failed

Every key is explained in policies/README.md; `wisp policies offline` prints a policy to start from.";

pub(crate) const POLICIES: &str = "\
Examples:
  wisp policies
  wisp policies offline > research.toml
      a good start for a policy of your own
  wisp policies --schema > wisp-policy.json
      for an editor: `#:schema ./wisp-policy.json` in a policy's first line";

pub(crate) const SESSION: &str = "\
Examples:
  wisp run --session work --mount .:/project:overlay -- python3 -c 'x = 41'
  wisp run --session work -- python3 -c 'print(x + 1)'
  wisp session list
  wisp session diff work
      what it changed, as a unified diff
  wisp session apply work
      writes what it changed in overlay mounts to the host
  wisp session export work work.tar
  wisp session rm work

A session is used by one command at a time. Another build of wisp cannot read it: export its files, and start a new one.

`list` says which sessions a helper keeps open (`wisp run --resident`). `diff`, `apply` and `export` have it save its session and end; `rm`
has it end without saving.";

pub(crate) const SESSION_DIFF: &str = "\
Examples:
  wisp run --session work --mount .:/project:overlay -- sed -i s/red/green/ /project/colours.txt
  wisp session diff work --stat
  wisp session diff work /project
  wisp session apply work
      takes what it changed over into the host's folder
  wisp session diff work --json
      [{path, kind, mount, before: {type, mode, size, target}, after: {…}}], where kind is added, modified, deleted,
      mode (only the mode changed) or link (a symbolic link changed, came in place of a file, or the other way round)

Exit codes:
  0    the comparison is complete, whether or not something changed
  2    there is no such session or path, or a file of the host cannot be read
  125  wisp itself failed";

pub(crate) const SESSION_APPLY: &str = "\
Examples:
  wisp run --session work --mount .:/project:overlay -- sed -i s/red/green/ /project/colours.txt
  wisp session apply work --dry-run
  wisp session apply work
  wisp session apply work --only /project/colours.txt --only /project/data

A line for each file: A added, M modified (with its mode, if that changed), D deleted, C conflict, - left out; a link with its target.
With --json: {applied, changes: [as in `wisp session diff --json`, and leads_out], conflicts: [{path, reason, message}], left_out: [the
same]}.

Review it first, as you would a stranger's patch: the files may be scripts, hooks or build files that run on the host later.

Exit codes:
  0    everything was written, or nothing was left to write; with --dry-run, everything could be
  1    the host's files conflict: nothing was written, unless a message says so
  2    there is no such session, or a path is in no overlay
  125  wisp itself failed, or the host refused to write
  130  Ctrl-C ended it before anything was written (SIGTERM: 143, SIGHUP: 129)

Each file is replaced in one step, except one that is mounted by itself: it is written in place. If wisp is killed meanwhile, some changes are
made and the others are not: apply again. Files called .wisp-apply-… may be left: remove them.";

pub(crate) const MCP: &str = "\
Examples:
  wisp mcp install claude
      Claude Code starts `wisp mcp` from now on; also codex, cursor, vscode, opencode
  wisp mcp install codex --policy agent.toml --mount ~/project:/project:overlay
  wisp mcp status
  wisp mcp --http 127.0.0.1:8080
      for clients that connect over HTTP; prints the token that they need

Exit codes:
  0    the client has closed its side, or the change was made
  1    the client's configuration has another server of that name
  2    a mistake in an option, the policy or the client's configuration
  125  wisp itself failed";

pub(crate) const MCP_INSTALL: &str = "\
Examples:
  wisp mcp install claude --dry-run
      shows what would change in the client's configuration
  wisp mcp install claude --policy agent.toml
  wisp mcp install cursor --project . --policy agent.toml
      for everyone who works in this folder

What the options grant is what the agent may do: it is shown when the entry is written, and `wisp explain` has the details.";

pub(crate) const PREPARE: &str = "\
Examples:
  wisp prepare
      all tools of the policy `offline`
  wisp prepare --policy fetch --allow https://docs.rs/ sh curl python3
  RUN wisp prepare --instructions
      in the recipe of an image, as the user who will run wisp

Exit codes:
  0    everything is prepared
  2    a mistake in the options or the policy, or no such program
  125  wisp itself failed, or the code could not be kept

Machine code fits one build of wisp and one kind of processor (x86-64 processors since 2013 are one kind).";

pub(crate) const DOCTOR: &str = "\
Examples:
  wisp doctor
  WISP_COMPONENTS=./target/components wisp doctor
      with components from a directory instead of those in the binary

Exit codes:
  0    wisp can run, and confine itself
  1    something that it needs is missing, or Landlock or seccomp, without which `--confine=require` refuses to run";

pub(crate) const HOOKS: &str = "\
Examples:
  wisp hooks install claude
      Claude Code's shell commands run in the sandbox from now on; also opencode, cursor
  wisp hooks status
  wisp session list
      the sessions of the conversations, such as claude-shop-0f3a…; `wisp session diff` and `apply` show and write what changed
  wisp hooks uninstall claude

Exit codes:
  0    the change was made, or the agent has its answer
  1    the agent's configuration has something in the place of wisp's hook
  2    a mistake in an option, the policy or the agent's configuration; of `run`: the command must not run
  125  wisp itself failed";

pub(crate) const HOOKS_INSTALL: &str = "\
Examples:
  wisp hooks install claude --dry-run
      shows what would change in the agent's configuration
  wisp hooks install opencode --policy agent.toml
  wisp hooks install claude --write
      commands change the project's files

What it does not cover: the agent's own tools that read and write files or fetch pages, MCP servers, and commands that you type yourself.";

pub(crate) const CODEX: &str = "\
Examples:
  wisp codex install
      Codex runs everything in wisp from now on
  wisp codex --project ~/shop --session shop
      as Codex starts it, with a session that has a name
  wisp codex --listen 127.0.0.1:8766
      the same over WebSocket
  wisp session diff shop; wisp session apply shop
      shows what Codex changed, and writes it to the project";

pub(crate) const CODEX_INSTALL: &str = "\
Examples:
  wisp codex install --dry-run
      shows what would change in Codex's environments.toml
  wisp codex install --policy agent.toml
  wisp codex install --beside
      Codex uses wisp only where you choose it

Exit codes:
  0    the change was made
  1    another environment is the default, or has the name `wisp`
  2    a mistake in an option, the policy or Codex's file
  125  wisp itself failed";
