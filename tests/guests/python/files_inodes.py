"""A listing names a file by the same number as stat does, in a mount and in memory, each time it is asked."""
import os
import posix


def numbers(directory):
    return {entry.name: entry.inode() for entry in posix.scandir(directory)}


os.makedirs("/tmp/memory/inner")
for number in range(20):
    open(f"/tmp/memory/{number}", "w").close()
for directory in ("/mnt/cases", "/mnt", "/tmp/memory", "/usr/lib/python3.14", "/"):
    listed = numbers(directory)
    wrong = [name for name, number in listed.items() if posix.lstat(f"{directory}/{name}").st_ino != number]
    print(directory, len(listed) > 1 or directory == "/mnt", wrong)
    assert listed == numbers(directory)
# A listed entry has its number from the listing; an entry looked up by name has it from the file.
scan = posix.scandir("/mnt/cases")
first, second = next(scan), next(scan)
print(first.inode() != second.inode(), posix.stat(first.path).st_ino == first.inode(), posix.stat(second.path).st_ino == second.inode())
os.chdir("/mnt/cases")
print([posix.stat(name).st_ino for name in (first.name, second.name)] == [first.inode(), second.inode()])
# Another file takes a listed name.
scan = posix.scandir("/tmp/memory")
entry = next(scan)
before = posix.stat(entry.path).st_ino
open("/tmp/other", "w").close()
os.replace("/tmp/other", "/tmp/memory/0")
os.rmdir("/tmp/memory/inner")
print(posix.stat("/tmp/memory/0").st_ino in numbers("/tmp/memory").values(), before == entry.inode(), os.path.exists("/tmp/memory/inner"))
