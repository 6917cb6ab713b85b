import type { DoorAddress } from '../doors/put-text.ts'
import { needs } from '../errors.ts'
import type { Redact } from '../redact.ts'
import { FileError } from './file-error.ts'
import { ownedThread } from './owned-thread.ts'

export const SCOPES = ['global', 'perThread'] as const
export type Scope = (typeof SCOPES)[number]

/**
 * One tree of files: what a path is looked up in. `thread` is empty where the scope is global, and an `ownedThread` where threads have an
 * owner.
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
  /** The thread, whatever a call says. */
  thread?: string
}

export const DEFAULT_MEMORY: MemoryNodeConfig = { id: 'memory', scope: 'global' }

/** Longer than any name or thread id; nothing is cut off, because two threads must never become one. */
export const MAX_NAME = 256

export function fileAddress(memory: FileMemory, path: string): DoorAddress & { kind: 'file' } {
  return { kind: 'file', ...memory, path }
}

/** Who asks, and for which thread. */
export interface ThreadChoice {
  threadId: string | undefined
  /** Threads exist only within it, also one that the node's config names. Default: callers that give the same id share a thread. */
  owner: string | undefined
  redact: Redact
}

/** Which files a call is about. ENOTMEM where that cannot be told. */
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
  // Without its secret it could be the id of another thread too.
  if (redact(thread) !== thread || !thread.isWellFormed()) throw notPlain()
  return { node: id, scope, thread }
}

function notPlain(): FileError {
  return new FileError('ENOTMEM', 'threadId is no plain text, or looks like a secret; give another one')
}

/** A memory node as a settings file or a graph has it. `where` names it in messages. */
export function readMemoryConfig(given: unknown, where: string): MemoryNodeConfig {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  needs(isObject, `${where} must be an object with an id`)
  const { id, scope = 'global', thread, ...others } = given as Record<string, unknown>
  const [unknown] = Object.keys(others)
  needs(unknown === undefined, `${where} has no "${unknown}"; there are id, scope, thread`)
  needs(isName(id), `${where}: id must be a text of 1 to ${MAX_NAME} characters`)
  // `thread` is what early graphs said.
  const known = scope === 'thread' ? 'perThread' : scope
  needs(
    SCOPES.some((one) => one === known),
    `${where}: scope must be ${SCOPES.join(' or ')}`,
  )
  needs(
    thread === undefined || (isName(thread) && known === 'perThread'),
    `${where}: thread is the id of a thread, where scope is perThread`,
  )
  return { id, scope: known as Scope, ...(thread === undefined ? {} : { thread: thread as string }) }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME && value.isWellFormed()
}
