/**
 * A thread that exists only within its owner, as it is stored. The length tells where the owner ends, so no two owners share one. It begins
 * with a blank, and the blanks around a thread id are no part of it: whatever id a caller without an owner gives, it is another thread.
 */
export function ownedThread(owner: string, threadId: string): string {
  return ` ${owner.length}:${owner}:${threadId}`
}

/** The id that callers give for a stored thread. */
export function threadIdOf(thread: string): string {
  const [start, length] = /^ (\d+):/.exec(thread) ?? []
  return start === undefined ? thread : thread.slice(start.length + Number(length) + 1)
}
