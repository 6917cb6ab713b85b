import type { WriteCaller } from '../access/principal.ts'
import { MemoryError, needs } from '../errors.ts'
import { isNumberOrTime, momentAt, parseMoment } from '../past/moment.ts'
import type { CheckpointRow, MomentInput } from '../port/history.ts'
import type { Operation, SnapshotRow, WriteTx } from '../port/store.ts'
import type { OperationDeps } from '../write/operation.ts'

export interface CheckpointInput {
  name: string
  /** Default: the newest snapshot. */
  snapshot?: MomentInput
}

export interface Checkpoint {
  name: string
  snapshot: SnapshotRow
}

/** Names a snapshot, which is then never pruned. Naming the same snapshot the same again changes nothing. */
export async function makeCheckpoint(deps: OperationDeps, input: CheckpointInput): Promise<Checkpoint> {
  needs(typeof input?.name === 'string', 'checkpoint needs { name }: a string')
  const { store, redact, now, caller, signal } = deps
  const name = input.name.trim()
  checkName(name, redact(name))
  const at = parseMoment(input.snapshot ?? 'head', now())
  const about = { name, author: redact(deps.author), at }
  return store.write(putCheckpoint, { ...about, ...(caller && { caller }) }, { signal })
}

/** Its snapshot stays. */
export async function removeCheckpoint(deps: OperationDeps, name: string): Promise<void> {
  needs(typeof name === 'string', 'removing a checkpoint needs its name')
  const { store, caller, signal } = deps
  await store.write(dropCheckpoint, { name: name.trim(), ...(caller && { caller }) }, { signal })
}

/** Room for a sentence, on one line, that needs no quotes in an address. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._:@+-]{0,99}$/u

export function isCheckpointName(name: string): boolean {
  return NAME.test(name) && !isNumberOrTime(name)
}

function checkName(name: string, redacted: string): void {
  if (isCheckpointName(name) && name === redacted) return
  throw new MemoryError(
    'INVALID_INPUT',
    'the name of a checkpoint has up to 100 letters, digits, spaces and . _ : @ + -, and is neither a number nor a date or time',
  )
}

interface PutInput {
  name: string
  author: string
  at: ReturnType<typeof parseMoment>
  caller?: WriteCaller
}

export const putCheckpoint: Operation<PutInput, Checkpoint> = {
  name: 'checkpoint',
  async run(tx, { name, author, at }, { now }) {
    const snapshot = await momentAt(tx, at)
    const known = await findCheckpoint(tx, name)
    if (known && known.snapshotId !== snapshot.id) throw taken(known)
    const row = { name, snapshotId: snapshot.id, author, createdAt: now }
    if (!known) await tx.commit({ checkpoints: { put: [row], remove: [] }, changes: ['checkpoint'] })
    return { name, snapshot }
  },
}

export const dropCheckpoint: Operation<{ name: string; caller?: WriteCaller }, void> = {
  name: 'remove-checkpoint',
  async run(tx, { name }) {
    // Throws for an unknown name.
    await momentAt(tx, { checkpoint: name })
    await tx.commit({ checkpoints: { put: [], remove: [name] }, changes: ['checkpoint'] })
  },
}

async function findCheckpoint(tx: WriteTx, name: string): Promise<CheckpointRow | undefined> {
  return (await tx.checkpoints()).find((one) => one.name === name)
}

function taken({ name, snapshotId }: CheckpointRow): MemoryError {
  return new MemoryError(
    'CONFLICT',
    `checkpoint "${name}" names snapshot ${snapshotId}; choose another name, or remove it first`,
  )
}
