import pwd, grp, os, getpass, pathlib
print(pwd.getpwuid(os.getuid()).pw_name, pwd.getpwnam("user").pw_dir, pwd.getpwnam("root").pw_uid, getpass.getuser())
print(grp.getgrgid(os.getgid()).gr_name, os.path.expanduser("~"), os.path.expanduser("~user/x"), pathlib.Path("/tmp").owner() in ("root", "user"))
try: pwd.getpwnam("nobody-here")
except KeyError as e: print(e)
try: pwd.getpwuid(4242)
except KeyError as e: print(e)
