import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { NodeType } from '../../src/core/model.ts'
import {
  addDocument,
  addNodes,
  change,
  commit,
  note,
  put,
  source,
  type TestNode,
} from '../support/store-changes.ts'
import { filledDatabase, openEngine, tamper } from '../support/store-database.ts'

async function openFilled() {
  const file = await filledDatabase()
  const { store, close } = await openEngine(file)
  onTestFinished(close)
  return { file, store }
}

/** FTS5 compares every word of the index with those of the view; it throws where they differ. */
function checkIndex(file: string): void {
  tamper(file, (db) => db.exec(`INSERT INTO node_index (node_index, rank) VALUES ('integrity-check', 1)`))
}

function segments(file: string): unknown {
  let count: unknown
  tamper(file, (db) => {
    count = db.prepare('SELECT count(DISTINCT segid) FROM node_index_idx').pluck().get()
  })
  return count
}

const TYPES: NodeType[] = ['text', 'heading', 'list', 'preamble', 'code']
const PIECES = [
  'tags: [Sea, b]',
  '# One',
  '#tag',
  'boats',
  'Café',
  '東京',
  '\ud83d',
  '\udc00',
  '\ufffd',
  '\0',
  'ß',
  ' ',
]
const nodes = fc.record({
  type: fc.constantFrom(...TYPES),
  text: fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary' })), { maxLength: 4 })
    .map((all) => all.join(' ')),
})

test('the words that come with a change are those that the stored node has', async () => {
  const { file, store } = await openFilled()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(nodes, nodes), { minLength: 1, maxLength: 20 }), async (pairs) => {
      const run = `n${runs++}`
      const inputs = pairs.map(([before], at) => ({ ...before, id: `${run}-${at}` }))
      const { document, nodes: added } = await addDocument(store, note(run), inputs)
      checkIndex(file)
      await commit(store, (tx, id) =>
        tx.applyChanges(
          id,
          pairs.map(([, after], at) => change('mod', { ...(added[at] as TestNode), ...after })).reverse(),
        ),
      )
      checkIndex(file)
      await commit(store, (tx, id) =>
        tx.applyChanges(
          id,
          added.map(({ key }) => ({ op: 'rem', key })),
        ),
      )
      await commit(store, (tx, id) => tx.eraseDocument(document.id, id))
      checkIndex(file)
    }),
    { numRuns: 20 },
  )
})

test('what a failed write wanted in the index is not there after the next one', async () => {
  const { file, store } = await openFilled()
  const { nodes: added } = await addDocument(store, note('n'), [{ id: 'a', text: 'first' }])
  const edit = change('mod', { ...(added[0] as TestNode), text: 'second' })
  const failing = commit(store, (tx, id) => tx.applyChanges(id, [edit, { op: 'rem', key: 999_999 }]))
  await expect(failing).rejects.toThrow()
  await addDocument(store, note('m'), [{ id: 'b', text: 'third' }])
  checkIndex(file)
})

test('the words of one transaction are written out once, however many calls it takes', async () => {
  const { file, store } = await openFilled()
  tamper(file, (db) => db.exec(`INSERT INTO node_index (node_index) VALUES ('optimize')`))
  await commit(store, async (tx, id) => {
    for (let call = 0; call < 3; call++) {
      const { id: documentId } = await put(tx, id, source(`${call}.md`))
      const inputs = Array.from({ length: 300 }, (_, at) => ({
        id: `n${call}-${at}`,
        // A text that is there already takes another way in.
        text: at % 3 === 0 ? 'Said before.' : `See [[Note ${at}]], number${call}x${at}.`,
        links: '[]',
      }))
      await addNodes(tx, id, documentId, inputs)
    }
  })
  expect(segments(file)).toBe(2)
  checkIndex(file)
})
