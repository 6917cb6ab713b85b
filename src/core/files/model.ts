import type { DoorAddress } from '../doors/put-text.ts'
import { needs } from '../errors.ts'
import type { Redact } from '../redact.ts'
import { FileError } from './errors.ts'
import { ownedThread } from './owned-thread.ts'

export const SCOPES = ['global', 'perThread'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * One file tree, in which paths are looked up. `thread` is empty if the scope is global, and an `ownedThread` if threads
 * have an owner.
 */
export interface FileMemory {
  node: string
  scope: Scope
  thread: string
}

/** A memory node: a name for files that belong together, and whether each thread has its own. */
export interface MemoryNodeConfig {
  id: string
  scope: Scope
  /** A fixed thread that overrides the one of a call. */
  thread?: string
}

export const DEFAULT_MEMORY: MemoryNodeConfig = { id: 'memory', scope: 'global' }

/** Longer names are rejected, not cut: two threads must never become one. */
export const MAX_NAME = 256

export function fileAddress(memory: FileMemory, path: string): DoorAddress & { kind: 'file' } {
  return { kind: 'file', ...memory, path }
}

/** The caller, and the thread it names. */
export interface ThreadChoice {
  threadId: string | undefined
  /** Every thread, also one fixed in the node's config, belongs to it. Default: the same id is the same thread for all. */
  owner: string | undefined
  redact: Redact
}

/** The files of a call. ENOTMEM if they cannot be determined. */
export function fileMemoryOf(
  { id, scope, thread: fixed }: MemoryNodeConfig,
  { threadId, owner, redact }: ThreadChoice,
): FileMemory {
  if (scope === 'global') return { node: id, scope, thread: '' }
  const given = fixed ?? threadId ?? ''
  if (typeof given !== 'string') throw notPlain()
  const plain = given.trim()
  if (plain === '') throw new FileError('ENOTMEM', 'threadId is required for perThread scope')
  if (plain.length > MAX_NAME)
    throw new FileError('ENOTMEM', `threadId is longer than ${MAX_NAME} characters; give a shorter one`)
  const thread = owner === undefined ? plain : ownedThread(owner, plain)
  // Redacted, it could be the id of another thread.
  if (redact(thread) !== thread || !thread.isWellFormed()) throw notPlain()
  return { node: id, scope, thread }
}

function notPlain(): FileError {
  return new FileError('ENOTMEM', 'threadId is not plain text, or looks like a secret; give another one')
}

/** A memory node from a settings file or a graph. `where` names it in messages. */
export function readMemoryConfig(given: unknown, where: string): MemoryNodeConfig {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  needs(isObject, `${where} must be an object with an id`)
  const { id, scope = 'global', thread, ...others } = given as Record<string, unknown>
  const [unknown] = Object.keys(others)
  needs(unknown === undefined, `${where} has an unknown field "${unknown}"; valid fields: id, scope, thread`)
  needs(isName(id), `${where}: id must be a string of 1 to ${MAX_NAME} characters`)
  // `thread` is the value in early graphs.
  const known = scope === 'thread' ? 'perThread' : scope
  needs(
    SCOPES.some((one) => one === known),
    `${where}: scope must be ${SCOPES.join(' or ')}`,
  )
  needs(
    thread === undefined || (isName(thread) && known === 'perThread'),
    `${where}: thread must be a thread id, and needs the scope perThread`,
  )
  return { id, scope: known as Scope, ...(thread === undefined ? {} : { thread: thread as string }) }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME && value.isWellFormed()
}
