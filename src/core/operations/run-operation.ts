import { callerOf } from '../access/principal.ts'
import { audited } from '../audit/audited.ts'
import { collectLinkChanges } from '../links/changes.ts'
import { createKnownDocuments } from '../links/known-documents.ts'
import { createKnownLinks } from '../links/known-links.ts'
import { relink } from '../links/relink.ts'
import type { DocumentPick } from '../port/documents.ts'
import type { LinkFields, LinkSelect, LinksFitting, StoredLink } from '../port/links.ts'
import type { Operation, OperationTools, WriteTx } from '../port/store.ts'
import type { WriteSet } from '../port/write-set.ts'
import { checkQuota } from './quota.ts'

/**
 * How every engine runs an operation: at its end, the links that follow from its changes are stored with them, the quota
 * of its caller is checked, and the changes are recorded in the audit.
 */
export function runOperation<I, O>(
  operation: Operation<I, O>,
  tx: WriteTx,
  input: I,
  tools: OperationTools,
): Promise<O> {
  return audited(operation, { tx, input, tools }, (noting) => runLinking(operation, noting, input, tools))
}

async function runLinking<I, O>(
  operation: Operation<I, O>,
  tx: WriteTx,
  input: I,
  tools: OperationTools,
): Promise<O> {
  if (operation.makesLinks) return operation.run(tx, input, tools)
  const { takeChanges, noteSet } = collectLinkChanges()
  const quota = checkQuota(tx, callerOf(input))
  /** The link facts that the operation read are those that its changes need: see `foreseeLinks`. */
  const known = createKnownLinks()
  const documents = createKnownDocuments()
  /** The numbers for new links; read again if the operation itself has changed links. */
  let base: ReturnType<WriteTx['state']> | undefined
  function forget(): void {
    base = undefined
    known.clear()
    documents.clear()
  }
  async function followChanges(): Promise<void> {
    await relink(tx, takeChanges(), { at: tools.now, base, known, documents })
    forget()
  }
  const noting: WriteTx = Object.assign(Object.create(tx), {
    state() {
      base = tx.state()
      return base
    },
    async links<F extends keyof LinkFields = 'stored'>(select: LinkSelect, fields?: F) {
      const found = await tx.links(select, fields)
      if (isFitting(select) && fields === undefined) known.add(select, found as StoredLink[])
      return found
    },
    async contents(select: DocumentPick, digests: readonly string[]) {
      const contents = await tx.contents(select, digests)
      const live = contents.nodes.filter(({ removedIn }) => removedIn === null)
      known.add({ of: live.map(({ key }) => key) }, contents.links)
      documents.noteContents(contents)
      return contents
    },
    commit(set: WriteSet) {
      if (set.links) forget()
      // Nodes without any history are deleted with their links, which must be uncounted first.
      const followed = set.drop && followChanges()
      noteSet(set)
      quota.noteSet(set)
      documents.noteSet(set)
      return followed ? followed.then(() => tx.commit(set)) : tx.commit(set)
    },
  } satisfies Pick<WriteTx, 'state' | 'links' | 'contents' | 'commit'>)
  const result = await operation.run(noting, input, tools)
  await quota.check()
  await followChanges()
  return result
}

function isFitting(select: LinkSelect): select is LinksFitting {
  return !('direction' in select) && !('pending' in select)
}
