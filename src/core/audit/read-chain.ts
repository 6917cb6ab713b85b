import type { AuditEntry, AuditHead } from '../port/audit.ts'
import type { Store } from '../port/store.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { auditHead } from './append.ts'

/** A chain as it is at one moment. */
export interface Chain {
  head: AuditHead
  /** In the order of their numbers. */
  entries: AsyncIterable<readonly AuditEntry[]>
  /** Entries after this number, at most a page of them. */
  after(number: number): Promise<readonly AuditEntry[]>
  /** Undefined: there is none with this number. */
  find(number: number): Promise<AuditEntry | undefined>
}

/** The entries of a page. */
export const AUDIT_PAGE = 1000

/** Gives `fn` the chain. Inside it, await only what the chain gives. */
export type ReadChain = <T>(fn: (chain: Chain) => Promise<T>) => Promise<T>

export function chainOf(store: Pick<Store, 'read'>): ReadChain {
  return (fn) =>
    store.read(async (tx) => {
      const head = await auditHead(tx)
      const entries = pagesOf(tx, 'audit')
      const find = async (number: number): Promise<AuditEntry | undefined> => {
        const [entry] = await tx.scan('audit', { after: [number - 1], limit: 1 })
        return entry?.number === number ? entry : undefined
      }
      const after = (number: number) => tx.scan('audit', { after: [number], limit: AUDIT_PAGE })
      return fn({ head, entries, after, find })
    })
}
