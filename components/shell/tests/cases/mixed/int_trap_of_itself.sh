trap 'echo int' INT; kill -INT $$; (trap - INT; :); echo rest; trap
