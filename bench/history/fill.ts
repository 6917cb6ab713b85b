import { nodeMark } from '../../src/core/digest.ts'
import { indexRow } from '../../src/core/find/query/index-row.ts'
import type { NodeState } from '../../src/core/model.ts'
import type { WriteTx } from '../../src/core/port/store.ts'
import { changeNodes } from '../../src/core/rows/change-nodes.ts'
import { storeDocuments } from '../../src/core/rows/documents.ts'
import type { NodeChange } from '../../src/core/rows/plan.ts'
import { estimateTokens } from '../../src/core/tokens.ts'
import { newPutContext } from '../../src/core/write/put.ts'
import { openSqlite } from '../../src/store/sqlite/engine.ts'
import { contentDigest } from '../../src/util/text/hash.ts'
import { loadXxh64 } from '../../src/util/text/xxh64.ts'

export interface HistorySize {
  snapshots: number
  nodes: number
  /** Snapshots are spread over this many days, up to now. */
  days: number
}

const DAY_MS = 86_400_000
/** Snapshots in one transaction. */
const AT_ONCE = 5000
const ABOUT = { author: 'bench', operation: 'write', message: 'write', root: '' }

/**
 * A memory in which each snapshot changes one node. Some nodes change much more often than others: half of the changes
 * are of an eighth of the nodes. Nodes and their index get only the first and the last text: nobody reads the others there.
 */
export async function fillHistory(file: string, { snapshots, nodes, days }: HistorySize): Promise<void> {
  const hash = await loadXxh64()
  const engine = await openSqlite({ file, hash, create: true, synchronous: 'normal', writer: 'here' })
  const first = Date.now() - days * DAY_MS
  const timeOf = (id: number): number => Math.floor(first + (id / snapshots) * days * DAY_MS)
  const random = seeded(1)
  const run = (work: (tx: WriteTx) => Promise<void>): Promise<void> =>
    engine.store.write<undefined, void>({ name: 'bench', run: work }, undefined)

  function changeOf(at: number, op: 'add' | 'mod', text: string): NodeChange {
    const id = `n${String(at).padStart(10, '0')}`
    const state = stateOf(at, text)
    const words = indexRow({ type: 'text', label: id, text })
    const shown = { text, label: id, tokens: estimateTokens(text), words }
    return { op, key: at + 1, id, documentId: 1, state, ...shown, mark: nodeMark(hash, id, null, state) }
  }
  async function changeAll(tx: WriteTx, op: 'add' | 'mod', now: number): Promise<void> {
    const context = newPutContext(tx, { hash, now }, ABOUT)
    const address = { kind: 'source', root: '.', path: 'notes.md' } as const
    if (op === 'add')
      await storeDocuments(
        context,
        [{ address, digest: contentDigest(''), text: null }],
        await context.snapshot.row(),
      )
    const all = Array.from({ length: nodes }, (_, at) => changeOf(at, op, textOf(at, op)))
    await changeNodes(context, all)
    await context.snapshot.finish()
  }
  async function changeSome(tx: WriteTx, from: number, to: number): Promise<void> {
    const { digest, head } = await tx.state()
    for (let id = from; id < to; id++) {
      const at = Math.floor(nodes * random() ** 3)
      const text = textOf(at, id)
      const state = stateOf(at, text)
      const times = { id, parentId: id - 1, createdAt: timeOf(id) }
      await tx.commit({
        snapshot: { row: { ...ABOUT, ...times, cursorHash: head?.cursorHash ?? '' }, digest },
        texts: [{ digest: state.digest, text, by: 1 }],
        versions: { put: [{ key: at + 1, snapshotId: id, op: 'mod', state }], remove: [] },
      })
    }
  }

  await run((tx) => changeAll(tx, 'add', first))
  for (let from = 2; from < snapshots; from += AT_ONCE)
    await run((tx) => changeSome(tx, from, Math.min(from + AT_ONCE, snapshots)))
  await run((tx) => changeAll(tx, 'mod', timeOf(snapshots)))
  await engine.close()
}

/** About 200 bytes, none like another. */
function textOf(at: number, version: number | string): string {
  return `Note ${at} as of ${version}: ${'the agent wrote down what it found out about the build. '.repeat(3)}`
}

function stateOf(at: number, text: string): NodeState {
  const position = `a${at}V`
  const shape = { type: 'text', format: 'plain', label: `n${String(at).padStart(10, '0')}` } as const
  return { parentKey: null, position, ...shape, digest: contentDigest(text), links: null }
}

/** The same numbers on every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
