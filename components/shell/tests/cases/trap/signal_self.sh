trap 'echo got' USR1; kill -USR1 $$; echo after; trap '' TERM; kill -TERM $$; echo alive; trap - TERM
