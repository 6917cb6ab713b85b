import { base62 } from '../util/text/base62.ts'
import type { Hash64 } from './digest.ts'

/**
 * The id of a block that is compiled for the first time: from its file, its parent's id and its place among its
 * siblings.
 */
export function firstId(hash: Hash64, path: string, parentId: string | null, index: number): string {
  return base62(hash(`${path}\0${parentId ?? ''}\0${index}`))
}

/** The id of something identified by its content within a namespace, such as a note under `mcp:write`. */
export function payloadId(hash: Hash64, namespace: string, payload: string): string {
  return base62(hash(`${namespace}\0${payload}`))
}

/** Another id for the same thing, for when `id` is taken. */
export function nextId(hash: Hash64, id: string, salt: number): string {
  return base62(hash(`${id}\0${salt}`))
}
