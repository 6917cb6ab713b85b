import type { Observer } from '../observer.ts'

/** One resource, or a family of them: what is read is the JSON text of its envelope. */
export interface Resource {
  /** As a client is shown it; with variables (RFC 6570) it is a template: `remindb://tree/{rootId}{?depth}`. */
  uri: string
  name: string
  title: string
  description: string
  /** Variables that were not given are missing. Throws NOT_FOUND or INVALID_INPUT. */
  read(observer: Observer, variables: Record<string, string>): Promise<string>
}
