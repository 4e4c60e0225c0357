declare -A cmds=([start]=do_start [stop]=do_stop); do_start() { echo starting; }; do_stop() { echo stopping; }; for c in start stop other; do ${cmds[$c]:-echo unknown} ; done
