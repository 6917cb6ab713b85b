import { createNumberSet, type NumberSet } from '../../util/number-set.ts'
import { contentDigest } from '../../util/text/hash.ts'
import { plural } from '../../util/text/units.ts'
import type { ScannedDocumentVersion, ScannedNode, ScannedVersion } from '../port/scan.ts'
import { INDEX_CHECK, type WriteTx } from '../port/store.ts'
import type { VersionPut } from '../port/write-set.ts'
import { textReferences } from '../rows/node-writes.ts'
import { pagesOf } from '../rows/stored-pages.ts'
import { versionsOf } from './adopt-texts.ts'
import { type Finding, fail, pass, type RowChecks } from './check.ts'

/** Checks that every referenced text exists. */
export function missingTextCheck(): RowChecks {
  const texts = createNumberSet()
  let [nodes, versions, documents, waiting] = [0, 0, 0, 0]
  function finding(): Finding {
    if (nodes + versions + documents > 0) {
      return fail(
        `${plural(nodes, 'node')}, ${plural(versions, 'version')} and ${plural(documents, 'document')} lost their text; compile again to restore the text of files`,
      )
    }
    return waiting === 0
      ? pass('every referenced text exists')
      : pass(`no reference to a lost text; compile again to restore the text of ${plural(waiting, 'file')}`)
  }
  return {
    see: {
      texts: ({ key }) => texts.add(key),
      documents(row) {
        if (isLost(row, texts)) documents++
        // Only a lost text leaves a file's document without a digest.
        if (row.kind === 'source' && row.state === 'live' && row.digest === null) waiting++
      },
      documentVersions(row) {
        if (isLost(row, texts)) documents++
      },
      nodes(row) {
        if (lacksText(row, texts)) nodes++
      },
      versions(row) {
        if (isLost(row, texts)) versions++
      },
    },
    findings: { missing_text: finding },
  }
}

type Texts = Pick<NumberSet, 'has'>

function isLost({ textKey }: { textKey: number | null }, texts: Texts): boolean {
  return textKey !== null && !texts.has(textKey)
}

/** A live node always has a text. */
function lacksText(
  { textKey, removedIn }: Pick<ScannedNode, 'textKey' | 'removedIn'>,
  texts: Texts,
): boolean {
  return removedIn === null && (textKey === null || !texts.has(textKey))
}

const EMPTY = contentDigest('')

/**
 * A live node and its newest version have the same text: each can restore the other. Otherwise the text becomes empty,
 * and the node stays, since it may have children. Reference counts, labels, counters and the state digest follow from
 * their own checks.
 */
export async function healMissingTexts(tx: WriteTx): Promise<void> {
  const texts = await textKeys(tx)
  for await (const page of pagesOf(tx, 'nodes'))
    await refillNodes(
      tx,
      page.filter((row) => lacksText(row, texts)),
      texts,
    )
  for await (const page of pagesOf(tx, 'versions'))
    await refillVersions(
      tx,
      page.filter((row) => isLost(row, texts)),
    )
  for await (const page of pagesOf(tx, 'documents'))
    await forgetTexts(
      tx,
      page.filter((row) => isLost(row, texts)).map(({ id }) => id),
    )
  for await (const page of pagesOf(tx, 'documentVersions'))
    await forgetVersionTexts(
      tx,
      page.filter((row) => isLost(row, texts)),
    )
  // The index words of a damaged node are unknown.
  await tx.engineHeal(INDEX_CHECK)
}

async function textKeys(tx: WriteTx): Promise<NumberSet> {
  const keys = createNumberSet()
  for await (const page of pagesOf(tx, 'texts')) for (const { key } of page) keys.add(key)
  return keys
}

/** Without a digest a document is compiled again; without an overlay the file's text is used. */
async function refillNodes(tx: WriteTx, bare: readonly ScannedNode[], texts: Texts): Promise<void> {
  if (bare.length === 0) return
  const keys = bare.map(({ key }) => key)
  const digests = await newestDigests(tx, keys, texts)
  const stored = await tx.nodes({ keys, removed: true }, 'stored')
  const emptied = stored.filter(({ key }) => !digests.has(key))
  const references = textReferences()
  for (const _ of emptied) references.add(EMPTY, '')
  await tx.commit({
    texts: references.list(),
    nodes: stored.map((before) => {
      const digest = digests.get(before.key)
      const text = digest === undefined ? { digest: EMPTY, tokens: 0 } : { digest }
      return { before, after: { ...before, ...text } }
    }),
    overlays: { put: [], remove: emptied.map(({ key }) => key) },
  })
  await forgetTexts(tx, [...new Set(emptied.map(({ documentId }) => documentId))])
}

/** By node: the digest of its newest version, if known. */
async function newestDigests(
  tx: WriteTx,
  keys: readonly number[],
  texts: Texts,
): Promise<Map<number, string>> {
  const versions = await versionsOf(tx, keys)
  const newest = keys.flatMap((key) => {
    const textKey = versions.get(key)?.at(-1)?.textKey ?? null
    return textKey !== null && texts.has(textKey) ? [{ key, textKey }] : []
  })
  const of = newest.map(({ textKey }) => textKey)
  const digests = new Map(
    (await tx.scan('texts', { of: { key: of }, limit: of.length })).map((row) => [row.key, row.digest]),
  )
  return new Map(
    newest.flatMap(({ key, textKey }) => {
      const digest = digests.get(textKey)
      return digest === undefined ? [] : [[key, digest]]
    }),
  )
}

/** After the nodes: the newest version of a live node has the node's text. */
async function refillVersions(tx: WriteTx, lost: readonly ScannedVersion[]): Promise<void> {
  if (lost.length === 0) return
  const keys = [...new Set(lost.map(({ nodeKey }) => nodeKey))]
  const versions = await versionsOf(tx, keys)
  const nodes = new Map((await tx.nodes({ keys, removed: true }, 'stored')).map((node) => [node.key, node]))
  const references = textReferences()
  const put = lost.map((row): VersionPut => {
    const isNewest = versions.get(row.nodeKey)?.at(-1)?.snapshotId === row.snapshotId
    const digest = (isNewest && nodes.get(row.nodeKey)?.digest) || EMPTY
    references.add(digest, digest === EMPTY ? '' : null)
    const { nodeKey: key, snapshotId, op, textKey: _, ...place } = row
    return { key, snapshotId, op, state: { ...place, digest } }
  })
  await tx.commit({ texts: references.list(), versions: { put, remove: put } })
}

async function forgetTexts(tx: WriteTx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const stored = await tx.documents({ ids }, 'stored')
  await tx.commit({
    documents: stored.map((before) => ({
      before,
      after: { ...before, digest: null, revision: before.revision + 1 },
    })),
  })
}

async function forgetVersionTexts(tx: WriteTx, lost: readonly ScannedDocumentVersion[]): Promise<void> {
  const put = lost.map(({ textKey: _, attributes, ...row }) => ({
    ...row,
    digest: null,
    textDigest: null,
    attributes: attributes ?? null,
  }))
  await tx.commit({ documentVersions: { put, remove: put } })
}
