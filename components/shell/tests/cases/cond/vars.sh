unset x; y=; [[ -v y ]] && echo set; [[ -v x ]] || echo unset; a=(1); [[ -v a[0] ]] && echo el; [[ -o errexit ]] || echo off
