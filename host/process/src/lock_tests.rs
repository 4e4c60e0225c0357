use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::LockKind::{Exclusive, Shared};
use super::*;

const FILE: LockedFile = (1, 7);

fn session() -> Arc<FileLocks> {
    Arc::default()
}

/// Whether the lock is held, without waiting.
fn is_held(wait: &LockWait) -> bool {
    pin!(wait.held()).poll(&mut Context::from_waker(Waker::noop())) == Poll::Ready(())
}

/// What the table records for a file: the number of holders and of waits.
fn line(locks: &FileLocks) -> Option<(usize, usize)> {
    locks.lock().get(&FILE).map(|line| (line.holders.len(), line.waiting.len()))
}

#[test]
fn shared_locks_go_together_and_exclusive_ones_do_not() {
    let locks = session();
    let [one, two, three] = [(); 3].map(|()| FileLock::new(&locks, FILE));
    assert_eq!((one.try_take(Shared), two.try_take(Shared)), (Ok(()), Ok(())));
    assert_eq!((one.held(), three.held()), (Some(Shared), None));
    assert_eq!(three.try_take(Exclusive), Err(LockConflict));
    one.release();
    assert_eq!(three.try_take(Exclusive), Err(LockConflict));
    two.release();
    assert_eq!(three.try_take(Exclusive), Ok(()));
    assert_eq!((one.try_take(Shared), one.try_take(Exclusive)), (Err(LockConflict), Err(LockConflict)));
    let elsewhere = FileLock::new(&locks, (1, 8));
    assert_eq!(elsewhere.try_take(Exclusive), Ok(()));
}

#[test]
fn a_lock_is_released_with_the_last_of_its_description() {
    let locks = session();
    let one = FileLock::new(&locks, FILE);
    one.try_take(Exclusive).unwrap();
    let duplicate = one.clone();
    drop(one);
    let other = FileLock::new(&locks, FILE);
    assert_eq!(other.try_take(Exclusive), Err(LockConflict));
    assert_eq!(duplicate.try_take(Exclusive), Ok(()));
    drop(duplicate);
    assert_eq!(other.try_take(Exclusive), Ok(()));
    drop(other);
    assert_eq!(line(&locks), None, "a file that is not locked has no entry");
}

#[test]
fn those_who_wait_get_it_in_their_order() {
    let locks = session();
    let all: [FileLock; 5] = [(); 5].map(|()| FileLock::new(&locks, FILE));
    all[0].try_take(Exclusive).unwrap();
    let waits = [(1, Shared), (2, Shared), (3, Exclusive), (4, Shared)].map(|(index, kind)| all[index].take(kind));
    let held = || waits.iter().map(is_held).collect::<Vec<_>>();
    assert_eq!(held(), [false; 4]);
    all[0].release();
    assert_eq!(held(), [true, true, false, false], "the last waits after the exclusive one");
    all[1].release();
    all[2].release();
    assert_eq!(held(), [true, true, true, false]);
    all[3].release();
    assert_eq!(held(), [true; 4]);
    assert_eq!(line(&locks), Some((1, 0)));
}

#[test]
fn a_place_that_is_given_up_lets_others_through() {
    let locks = session();
    let [holder, writer, reader] = [(); 3].map(|()| FileLock::new(&locks, FILE));
    holder.try_take(Shared).unwrap();
    let (writing, reading) = (writer.take(Exclusive), reader.take(Shared));
    assert_eq!((is_held(&writing), is_held(&reading)), (false, false));
    drop(writing);
    assert!(is_held(&reading));
    drop(reading);
    assert_eq!(line(&locks), Some((2, 0)), "a wait that succeeds becomes the description's lock");
    drop(reader);
    assert_eq!(line(&locks), Some((1, 0)));
}

#[test]
fn a_lock_that_is_granted_unseen_is_released_with_its_wait() {
    let locks = session();
    let [holder, waiter, other] = [(); 3].map(|()| FileLock::new(&locks, FILE));
    holder.try_take(Exclusive).unwrap();
    let waiting = waiter.take(Exclusive);
    let next = other.take(Exclusive);
    holder.release();
    assert_eq!(waiter.held(), Some(Exclusive), "granted, and the waiter has not looked");
    drop(waiting);
    assert_eq!(waiter.held(), None);
    assert!(is_held(&next), "the next in the line has it");
    drop(next);
    assert_eq!(other.held(), Some(Exclusive), "what was seen stays held");
}

#[test]
fn a_wait_that_is_dropped_unseen_leaves_what_the_description_took_since() {
    let locks = session();
    let [holder, waiter] = [(); 2].map(|()| FileLock::new(&locks, FILE));
    holder.try_take(Exclusive).unwrap();
    let waiting = waiter.take(Exclusive);
    holder.release();
    waiter.try_take(Shared).unwrap();
    drop(waiting);
    assert_eq!(waiter.held(), Some(Shared));
    let [first, second] = [(); 2].map(|()| waiter.take(Exclusive));
    drop(first);
    assert!(is_held(&second));
    assert_eq!(waiter.held(), Some(Exclusive));
}

#[test]
fn a_description_that_is_gone_gives_its_place_up_with_the_wait() {
    let locks = session();
    let [holder, waiter] = [(); 2].map(|()| FileLock::new(&locks, FILE));
    holder.try_take(Exclusive).unwrap();
    let waiting = waiter.take(Exclusive);
    drop(waiter);
    holder.release();
    assert!(is_held(&waiting), "the wait is a handle of the description");
    drop(waiting);
    assert_eq!(line(&locks), None);
}

#[test]
fn a_lock_is_converted() {
    let locks = session();
    let [one, two, three] = [(); 3].map(|()| FileLock::new(&locks, FILE));
    one.try_take(Exclusive).unwrap();
    let waiting = two.take(Shared);
    one.try_take(Shared).unwrap();
    assert!(is_held(&waiting), "downgraded, so the shared locks are granted");
    assert_eq!(one.try_take(Exclusive), Err(LockConflict));
    assert_eq!(line(&locks), Some((1, 0)), "a lock that cannot be converted is lost, as on Linux");
    two.try_take(Exclusive).unwrap();
    two.try_take(Shared).unwrap();
    let third = three.take(Exclusive);
    assert!(is_held(&two.take(Exclusive)), "the sole holder does not queue after those that wait for it");
    assert!(!is_held(&third));
    two.release();
    assert!(is_held(&third));
}

#[test]
fn two_that_share_and_both_convert_do_not_wait_for_each_other() {
    let locks = session();
    let [one, two] = [(); 2].map(|()| FileLock::new(&locks, FILE));
    one.try_take(Shared).unwrap();
    two.try_take(Shared).unwrap();
    let first = one.take(Exclusive);
    assert!(!is_held(&first));
    let second = two.take(Exclusive);
    assert_eq!((is_held(&first), is_held(&second)), (false, true), "the first released its share, so the second holds it alone");
    two.release();
    assert!(is_held(&first));
}

#[tokio::test]
async fn who_waits_is_woken() {
    let locks = session();
    let [holder, waiter] = [(); 2].map(|()| FileLock::new(&locks, FILE));
    holder.try_take(Exclusive).unwrap();
    let waiting = waiter.take(Exclusive);
    let task = tokio::spawn(async move { waiting.held().await });
    tokio::task::yield_now().await;
    assert!(!task.is_finished());
    drop(holder);
    task.await.unwrap();
    assert_eq!(line(&locks), Some((1, 0)));
}
