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
}

export type ResourceContent =
  | string
  | { text: string; mimeType?: string }
  /** Bytes, in base64. */
  | { blob: string; mimeType: string }

export function mimeTypeOf({ mimeType = 'application/json' }: Pick<Resource, 'mimeType'>): string {
  return mimeType
}
