import { linkParts } from '../link-parts.ts'
import type { Link } from '../model.ts'
import type { StoredLink } from '../port/links.ts'
import type { WriteTx } from '../port/store.ts'
import { createLinkEdits } from './edits.ts'
import { createTargetFinder } from './find-targets.ts'
import { newLink, storedKey, withLink } from './text-links.ts'
import { linkKey } from './wanted.ts'

type LinkTx = Pick<WriteTx, 'links' | 'linkFacts' | 'nodes' | 'state' | 'commit'>

/** A link with its nodes; without a target while it is pending. */
export interface LinkRow extends Link, Pick<StoredLink, 'sourceKey' | 'origin' | 'place' | 'targetKey'> {
  sourceId: string
  targetId: string | null
}

/** What `unrelate` removes: a link by its target's id, or by its label and source. */
export type LinkTarget = { targetId: string } | { label: string; source: string }

/** Adds a manual link, or changes its weight, and finds its target. */
export async function putManualLink(
  tx: LinkTx,
  source: { key: number; id: string; documentId: number },
  link: Link,
  at: number,
): Promise<LinkRow> {
  const [base, rows] = await Promise.all([tx.state(), tx.links({ of: [source.key] })])
  const edits = createLinkEdits(base.nextLinkId)
  const manual = rows.filter(({ origin }) => origin === 'manual')
  const stored = manual.find((row) => storedKey(row) === linkKey(link))
  const place = (manual.at(-1)?.place ?? -1) + 1
  edits.replace(source.key, rows, { rows, added: [] })
  const row = stored ?? edits.add(newLink(source, 'manual', { link, place, at }))
  edits.put(withLink(row, link, row.place))
  edits.seek(row)
  await edits.findTargets(createTargetFinder(tx))
  await tx.commit({ ...(await edits.toWriteSet(tx)), changes: ['relate'] })
  return toLinkRow(tx, source.id, edits.get(row.id) as StoredLink)
}

/** Removes manual links. Returns how many. */
export async function deleteManualLinks(tx: LinkTx, sourceKey: number, target: LinkTarget): Promise<number> {
  const targetKey = 'targetId' in target ? await keyOf(tx, target.targetId) : null
  const [base, rows] = await Promise.all([tx.state(), tx.links({ of: [sourceKey] })])
  const kept = rows.filter((row) => row.origin === 'parsed' || !isAimedAt(row, target, targetKey))
  const edits = createLinkEdits(base.nextLinkId)
  edits.replace(sourceKey, rows, { rows: kept, added: [] })
  await tx.commit({ ...(await edits.toWriteSet(tx)), changes: ['relate'] })
  return rows.length - kept.length
}

async function keyOf(tx: LinkTx, id: string): Promise<number | null> {
  return (await tx.linkFacts({ nodes: [id] })).nodes[0]?.key ?? null
}

function isAimedAt(row: StoredLink, target: LinkTarget, targetKey: number | null): boolean {
  if ('targetId' in target)
    return row.wantedId === target.targetId || (targetKey !== null && row.targetKey === targetKey)
  return row.wantedId === '' && row.name === linkParts(target).name && row.source === target.source
}

async function toLinkRow(tx: LinkTx, sourceId: string, row: StoredLink): Promise<LinkRow> {
  const { sourceKey, origin, place, label, weight, source, wantedId: id, targetKey } = row
  const [target] = targetKey === null ? [] : await tx.nodes({ keys: [targetKey] }, 'full')
  const targetId = target?.id ?? null
  return { sourceKey, sourceId, origin, place, label, weight, source, id, targetKey, targetId }
}
