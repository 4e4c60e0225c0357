import asyncio, os, signal, subprocess, sys
async def main():
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, came.set)
    loop.add_signal_handler(signal.SIGUSR1, print, "with", "arguments")
    child = await asyncio.create_subprocess_exec("sh", "-c", f"kill -USR1 {os.getpid()}; kill -TERM {os.getpid()}")
    await came.wait(); print("came", await child.wait())
    # This needs no check between bytecodes: the loop checks when it waits.
    print(sys.monitoring.get_tool(4))
    print(loop.remove_signal_handler(signal.SIGTERM), loop.remove_signal_handler(signal.SIGTERM), signal.getsignal(15) == signal.SIG_DFL)
    for number in (9, 99):
        try: loop.add_signal_handler(number, print)
        except (RuntimeError, ValueError) as e: print(type(e).__name__, e)
    child = await asyncio.create_subprocess_exec("sleep", "1000"); child.send_signal(signal.SIGUSR2); print(await child.wait())
    child = await asyncio.create_subprocess_exec("sleep", "1000", start_new_session=True); os.killpg(child.pid, 9); print(await child.wait())
asyncio.run(main())
