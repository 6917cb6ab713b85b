import type { WriteCaller } from '../access/principal.ts'
import { MemoryError } from '../errors.ts'
import { DEFAULT_WEIGHT } from '../link.ts'
import { deleteManualLinks, type LinkRow, type LinkTarget, putManualLink } from '../links/manual.ts'
import type { Link } from '../model.ts'
import type { Operation, ReadTx, Store } from '../port/store.ts'
import type { Redact } from '../redact.ts'
import { checkNodeId, findNode, getNode } from '../write/operation.ts'

export interface RelateDeps {
  store: Store
  redact: Redact
  caller?: WriteCaller | undefined
  signal?: AbortSignal | undefined
}

/** From one node to another: by id, or by the label of a heading, optionally in a certain file. */
export interface RelateTarget {
  sourceId: string
  targetId?: string
  targetLabel?: string
  targetSource?: string
}

export interface RelateInput extends RelateTarget {
  weight?: number
}

export type RelateResult = { status: 'resolved'; targetId: string } | { status: 'pending'; label: string }

/** Links two nodes by hand. No snapshot: content does not change. The link is pending until its target exists. */
export async function relate(deps: RelateDeps, input: RelateInput): Promise<RelateResult> {
  const { weight = DEFAULT_WEIGHT } = input
  if (!Number.isFinite(weight)) throw new MemoryError('INVALID_INPUT', 'weight must be a number')
  const { id, label, source } = targetOf(input, deps.redact)
  checkNodeId(input.sourceId, 'source_id')
  const link = { label, source, id, weight }
  const { caller, signal } = deps
  const row = await deps.store.write(putLink, { sourceId: input.sourceId, link, caller }, { signal })
  return toResult(row)
}

export const putLink: Operation<{ sourceId: string; link: Link; caller?: WriteCaller | undefined }, LinkRow> =
  {
    name: 'relate',
    async run(tx, { sourceId, link }, { now }) {
      const source = await getNode(tx, sourceId, 'source_id')
      if (link.id !== '' && link.label === '') await getNode(tx, link.id, 'target_id')
      return putManualLink(tx, source, link, now)
    },
  }

/** Removes a manual link. Returns how many were removed. */
export async function unrelate(deps: RelateDeps, input: RelateTarget): Promise<number> {
  const { id, label, source } = targetOf(input, deps.redact)
  const target: LinkTarget = id === '' ? { label, source } : { targetId: id }
  checkNodeId(input.sourceId, 'source_id')
  const { caller, signal } = deps
  return deps.store.write(removeLink, { input, target, caller }, { signal })
}

interface RemoveLinkInput {
  input: RelateTarget
  target: LinkTarget
  caller?: WriteCaller | undefined
}

export const removeLink: Operation<RemoveLinkInput, number> = {
  name: 'unrelate',
  async run(tx, { input, target }) {
    const { key } = await getNode(tx, input.sourceId, 'source_id')
    const count = await deleteManualLinks(tx, key, target)
    if (count === 0) throw await noSuchLink(tx, key, input)
    return count
  },
}

function targetOf(input: RelateTarget, redact: Redact): Omit<Link, 'weight'> {
  const { targetId = '', targetLabel = '', targetSource = '' } = input
  const label = redact(targetLabel.trim())
  if (targetId === '' && label === '') {
    throw new MemoryError('INVALID_INPUT', 'target_id or target_label is required')
  }
  return { id: redact(targetId), label, source: targetId === '' ? redact(targetSource.trim()) : '' }
}

async function noSuchLink(tx: ReadTx, sourceKey: number, input: RelateTarget): Promise<MemoryError> {
  const { sourceId, targetId, targetLabel } = input
  const target = targetId === undefined ? undefined : await findNode(tx, targetId)
  const links = await tx.links({ of: [sourceKey] })
  if (target && links.some(({ targetKey, origin }) => targetKey === target.key && origin === 'parsed')) {
    const where = `is written in the text of node ${sourceId}; change the text to remove it`
    return new MemoryError('CONFLICT', `the link to ${targetId} ${where}`)
  }
  const what = targetId ?? `"${targetLabel}"`
  return new MemoryError(
    'NOT_FOUND',
    `node ${sourceId} has no manual link to ${what}; see \`remindb inspect --links\``,
  )
}

function toResult({ targetId, label, id }: LinkRow): RelateResult {
  return targetId === null ? { status: 'pending', label: label || id } : { status: 'resolved', targetId }
}
