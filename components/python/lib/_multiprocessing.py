"""The semaphores of `multiprocessing`, which is C elsewhere."""

from _wisp import modules as _modules

SemLock, sem_unlink = (getattr(_modules.load_later("semaphores"), name) for name in ("SemLock", "sem_unlink"))

flags = {"HAVE_SEM_OPEN": 1, "HAVE_SEM_TIMEDWAIT": 1}
