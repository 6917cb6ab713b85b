/**
 * The stored form of a thread that belongs to an owner. The length marks where the owner ends, so no two owners share a
 * thread. It starts with a space, and thread ids are trimmed: no id of a caller without an owner can equal it.
 */
export function ownedThread(owner: string, threadId: string): string {
  return ` ${owner.length}:${owner}:${threadId}`
}

/** The id that callers give for a stored thread. */
export function threadIdOf(thread: string): string {
  const [start, length] = /^ (\d+):/.exec(thread) ?? []
  return start === undefined ? thread : thread.slice(start.length + Number(length) + 1)
}
