import { expect, test } from 'vitest'
import type { Op } from '../model.ts'
import type { ScannedDocumentVersion } from '../port/scan.ts'
import { foldDocument, foldVersions, isMerged } from './fold-versions.ts'

const INTO = 9
const versions = (ops: string) =>
  ops.split(' ').map((op, at) => {
    // The last one may be that of the snapshot that stays.
    const [name, snapshotId = at + 1] = op.split('@')
    return {
      nodeKey: 1,
      snapshotId: Number(snapshotId),
      op: name as Op,
      textKey: name === 'rem' ? null : at + 1,
    }
  })

test.each([
  ['add', 'add', 0],
  ['mod', 'mod', 0],
  ['rem', 'rem', 0],
  ['add mod', 'add', 1],
  ['mod mod', 'mod', 1],
  ['mod rem', 'rem', 1],
  ['rem add', 'mod', 1],
  ['add rem', undefined, 2],
  ['add mod rem', undefined, 3],
  ['add rem add', 'add', 2],
  ['rem add rem', 'rem', 2],
  ['add mod@9', 'add', 1],
  ['mod rem@9', 'rem', 1],
  ['add rem@9', undefined, 2],
])('versions %s of a node become %s', (ops, op, removed) => {
  const given = versions(ops)
  const folded = foldVersions(given.toReversed(), INTO)
  const newest = given.at(-1)
  const isMoved = newest?.snapshotId !== INTO || newest.op !== op
  expect(folded.moved).toEqual(op && isMoved ? [{ key: 1, from: newest?.snapshotId, op }] : [])
  expect(folded.removed).toHaveLength(removed)
  expect(folded.ended).toEqual(newest?.op === 'rem' ? [1] : [])
})

test('versions of several nodes are folded apart', () => {
  const [one, other] = [versions('add mod'), versions('rem').map((row) => ({ ...row, nodeKey: 2 }))]
  expect(foldVersions([...one, ...other], INTO).moved).toEqual([
    { key: 1, from: 2, op: 'add' },
    { key: 2, from: 1, op: 'rem' },
  ])
})

const TEXTS = ['', 'one', 'two', 'three', 'four']
/** `w`: a whole text, `p`: a piece, `x`: removed. The text is that of the snapshot. */
function documentVersions(kinds: string): ScannedDocumentVersion[] {
  return [...kinds].map((kind, at) => ({
    ...{ documentId: 1, snapshotId: at + 1, digest: null, textKey: kind === 'x' ? null : at + 1 },
    ...{ state: kind === 'x' ? 'removed' : 'live', attributes: kind === 'p' ? null : { at: at + 1 } },
    ...(kind === 'p' ? { lead: '[', trail: ']' } : { lead: null, trail: null }),
  }))
}
const fold = (kinds: string) =>
  foldDocument(documentVersions(kinds), INTO, ({ textKey }) => TEXTS[textKey ?? 0] ?? null)

test.each([
  ['w', 1],
  ['p', 1],
  ['ww', 2],
  ['pw', 2],
  ['wpw', 3],
  ['wx', 2],
])('of versions %s of a document the last one stays as it is', (kinds, from) => {
  const { moved, merged, removed } = fold(kinds)
  expect([moved?.snapshotId, merged, removed.length]).toEqual([from, undefined, kinds.length - 1])
  expect(isMerged(documentVersions(kinds))).toBe(false)
})

test.each([
  ['wp', { lead: null, text: 'one[two]', trail: null, attributes: { at: 1 } }],
  ['wwpp', { lead: null, text: 'two[three][four]', trail: null, attributes: { at: 2 } }],
  ['pp', { lead: '[', text: 'one][two', trail: ']', attributes: null }],
  ['ppp', { lead: '[', text: 'one][two][three', trail: ']', attributes: null }],
])('versions %s of a document become one', (kinds, expected) => {
  const { moved, merged, removed } = fold(kinds)
  expect(merged).toMatchObject({ documentId: 1, snapshotId: INTO, state: 'live', digest: null, ...expected })
  expect([moved, removed.length]).toEqual([undefined, kinds.length])
  expect(isMerged(documentVersions(kinds))).toBe(true)
})
