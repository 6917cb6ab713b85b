import type { DocumentRow } from '../port/store.ts'

/** Files that are new in a folder, by the digest of their text. */
export type Arrived = Map<string, string[]>

/** Notes a new file. */
export function addArrived(arrived: Arrived, digest: string, path: string): void {
  const sameText = arrived.get(digest)
  if (sameText) sameText.push(path)
  else arrived.set(digest, [path])
}

/**
 * The new path of a document whose file has disappeared: a new file with the same text. Of several the one with the same name,
 * else the first, which is then taken.
 */
export function takeRenamed(arrived: Arrived, path: string, { digest }: DocumentRow): string | undefined {
  const candidates = digest === null ? undefined : arrived.get(digest)
  if (!candidates || candidates.length === 0) return undefined
  const sameName = candidates.findIndex((candidate) => nameOf(candidate) === nameOf(path))
  return candidates.splice(Math.max(0, sameName), 1)[0]
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
