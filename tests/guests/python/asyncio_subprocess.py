import asyncio, asyncio.subprocess as sub
async def main():
    p = await asyncio.create_subprocess_exec("cat", stdin=sub.PIPE, stdout=sub.PIPE)
    print(await p.communicate(b"hello"), p.returncode)
    p = await asyncio.create_subprocess_shell("echo out; echo err >&2; exit 3", stdout=sub.PIPE, stderr=sub.PIPE)
    print(await p.communicate(), p.returncode)
    many = await asyncio.gather(*(asyncio.create_subprocess_exec("echo", str(i), stdout=sub.PIPE) for i in range(3)))
    print([(await p.communicate())[0] for p in many])
    p = await asyncio.create_subprocess_exec("sleep", "1000"); p.terminate(); print(await p.wait())
    p = await asyncio.create_subprocess_shell("for i in 1 2 3; do echo $i; done", stdout=sub.PIPE)
    async for line in p.stdout: print(line)
    print(await p.wait())
asyncio.run(main())
