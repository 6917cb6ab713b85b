import { callerOf, type WriteCaller } from '../access/principal.ts'
import type { Store } from '../port/store.ts'

/** Whoever has the files, and what a memory does by itself: neither has a user or a key. */
export const OPERATOR: WriteCaller = { userId: '', principalId: '', address: '' }

/** What keeps a memory going, or changes nothing that anybody stored. */
export const UNRECORDED: ReadonlySet<string> = new Set([
  ...['boost', 'touch', 'tick', 'hold-lease', 'release-lease', 'reseed', 'stage-files', 'store-facts'],
  ...['record-events', 'trim-audit'],
])

/** The same store; what nobody known does through it is the operator's, and recorded. */
export function byOperator(store: Store): Store {
  return {
    ...store,
    write(operation, input, call) {
      const isSigned = UNRECORDED.has(operation.name) || callerOf(input) !== undefined
      return store.write(operation, isSigned ? input : { ...input, caller: OPERATOR }, call)
    },
  }
}
