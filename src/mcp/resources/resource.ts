import type { Observer } from '../observer.ts'

/** One resource, or a family of them: what is read is a text, mostly the JSON of an envelope, or bytes. */
export interface Resource {
  /** As a client is shown it; with variables (RFC 6570) it is a template: `remindb://tree/{rootId}{?depth}`. */
  uri: string
  name: string
  title: string
  description: string
  /** Of what is read, where that does not say it itself. Default: JSON. */
  mimeType?: string
  /** Variables that were not given are missing. Throws NOT_FOUND or INVALID_INPUT. */
  read(observer: Observer, variables: Record<string, string>): Promise<ResourceContent>
  /** Of a template: those of its resources that are listed. They stay the same while a server runs. */
  entries?(observer: Observer): Promise<readonly LiveEntry[]>
  /**
   * Of what can be subscribed to: another text after every change that a client is told of, also one that brings something
   * back. It must cost little: it is asked for when anything of its kind changed. Without it, all of these are told.
   */
  stamp?(observer: Observer, variables: Record<string, string>): Promise<string>
}

/** Listed by `resources/list`, beside what always is. */
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
