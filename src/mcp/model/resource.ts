import type { Scope } from '../../core/access/scopes.ts'
import type { AuditEvent } from '../../core/audit/events.ts'
import type { Observer, ServerObserver } from './observer.ts'

/** One resource, or a family of them: its content is text, mostly the JSON of an envelope, or bytes. */
export type Resource = MemoryResource | ServerResource

interface ResourceBase {
  /** As a client is shown it; with variables (RFC 6570) it is a template: `remindb://tree/{rootId}{?depth}`. */
  uri: string
  name: string
  title: string
  description: string
  /** The scope that a client needs to read it, to see it listed and to be notified of its changes. */
  scope: Scope
  /** The type of its content, unless the content itself says. Default: JSON. */
  mimeType?: string
}

/** Shows a memory. */
export interface MemoryResource extends ResourceBase {
  isOfServer?: undefined
  /** Variables that were not given are missing. Throws NOT_FOUND or INVALID_INPUT. */
  read(observer: Observer, variables: Record<string, string>): Promise<ResourceContent>
  /** What the audit has of a read. Default: nothing, because it shows no content. */
  audited?(variables: Record<string, string>): readonly AuditEvent[]
  /** For a template: the resources of it that are listed. They stay the same while a server runs. */
  entries?(server: ServerObserver): readonly LiveEntry[]
  /**
   * For subscribable resources: changes with every change that subscribers are notified of, even one that restores an earlier
   * state. It must be cheap: it is computed whenever anything of its kind changed. Without it, all of these are notified.
   */
  stamp?(observer: Observer, variables: Record<string, string>): Promise<string>
}

/** Shows the server itself: reading it opens no memory, which would add a record for clients that follow the log. */
export interface ServerResource extends ResourceBase {
  isOfServer: true
  read(server: ServerObserver, variables: Record<string, string>): Promise<ResourceContent>
}

/** Listed by `resources/list`, in addition to the fixed ones. */
export interface LiveEntry {
  uri: string
  name: string
  title: string
  description: string
}

export type ResourceContent =
  | string
  | { text: string; mimeType?: string }
  /** Bytes, in base64. */
  | { blob: string; mimeType: string }

export function mimeTypeOf({ mimeType = 'application/json' }: Pick<Resource, 'mimeType'>): string {
  return mimeType
}
