import { callerOf } from '../access/principal.ts'
import type { Operation, OperationTools, WriteTx } from '../port/store.ts'
import type { WriteSet } from '../port/write-set.ts'
import { appendAudit, auditHead } from './append.ts'
import { eventsOf, noteSet, nothingWritten } from './events.ts'

/** Runs an operation. If its caller is known, its changes are recorded in the same transaction, which `run` gets. */
export async function audited<I, O>(
  operation: Pick<Operation<I, O>, 'name'>,
  { tx, input, tools }: { tx: WriteTx; input: I; tools: OperationTools },
  run: (tx: WriteTx) => Promise<O>,
): Promise<O> {
  const caller = callerOf(input)
  if (!caller) return run(tx)
  // Together with the first reads of the operation: over a network, each round trip counts.
  const head = auditHead(tx)
  // The operation may fail first.
  head.catch(() => undefined)
  const written = nothingWritten()
  const noting: WriteTx = Object.assign(Object.create(tx), {
    commit(set: WriteSet) {
      noteSet(written, set)
      return tx.commit(set)
    },
  } satisfies Pick<WriteTx, 'commit'>)
  const result = await run(noting)
  const { userId, principalId, address } = caller
  const events = eventsOf(operation.name, input, written)
  const by = { at: tools.now, userId, principalId, address }
  const facts = events.map((event) => ({ ...by, ...event }))
  await appendAudit(tx, facts, {
    head: await head,
    sha256: tools.sha256,
    changes: written.hasSnapshot ? [] : ['audit'],
  })
  return result
}
