import { isMemoryError } from '../errors.ts'
import { joinLinks, linksToJoin } from '../links/join.ts'
import type { HeatClock } from '../port/heat.ts'
import type { Call, Operation, Staged, Store } from '../port/store.ts'
import { storedCounters } from '../rows/stored-pages.ts'
import { type DocumentInput, newPutContext } from '../write/put.ts'
import {
  groupsOf,
  isCurrent,
  nothingPublished,
  type Published,
  type PublishInput,
  putFiles,
  writeFacts,
} from './publish-files.ts'
import { knownDocuments, type Scan } from './scan.ts'
import { createSeeding } from './seeds.ts'

/** Parsed files of fewer characters are stored so soon that nobody minds waiting: some 20,000 nodes. */
export const STAGED_FROM = 8_000_000
/** How many nodes a memory may have had for a staging to be put beside them: taking it over looks at all of them. */
const FEW_NODES = 10_000
/** Staged nodes get their keys before the free ones are known: the room for nodes that other writers add meanwhile. */
const KEYS_FOR_OTHERS = 131_072

/** How nodes that are staged begin. */
interface StagedStart {
  firstKey: number
  heat: HeatClock
}

/** Undefined: the files are few, or not all of them new, or come to a memory that holds much, or the engine has no place apart. */
export async function stagedStart(
  store: Store,
  { size, parsed, missing, moves }: Scan,
  stagedFrom: number,
): Promise<StagedStart | undefined> {
  const isNew = missing.size + moves.size === 0 && [...parsed.values()].every((revision) => revision === 0)
  if (!store.stage || size < stagedFrom || !isNew) return undefined
  const { nextNodeKey, heat } = await store.read((tx) => tx.state())
  return nextNodeKey <= FEW_NODES ? { firstKey: nextNodeKey + KEYS_FOR_OTHERS, heat } : undefined
}

/**
 * Stores new files apart from the memory, which others write to meanwhile, and takes them over as one snapshot. Null, and nothing is
 * written, when somebody made what they do not fit to.
 */
export async function publishStaged(
  store: Store,
  { facts, home, ...input }: PublishInput & StagedStart,
  { source, signal }: Pick<Call, 'source' | 'signal'>,
): Promise<Published | null> {
  const call = { signal, ...(source && { source }) }
  const staged = (await store.stage?.(stageFiles, input, call)) as Staged<StagedFiles>
  try {
    // Files that say nothing make no snapshot.
    if (staged.result.added === 0) return null
    const adopting = { ...input, facts, home, ...(await stagedSums(staged)), published: staged.result }
    return await store.write(adoptFiles, adopting, { signal, staged: staged.name })
  } catch (error) {
    if (isMemoryError(error) && error.code === 'CONFLICT') return null
    throw error
  } finally {
    await staged.discard()
  }
}

type StagedFiles = Pick<Published, 'added' | 'redactions'>

interface StagedSums {
  digest: bigint
  counters: ReadonlyMap<string, number>
}

function stagedSums(staged: Staged<StagedFiles>): Promise<StagedSums> {
  return staged.read(async (tx) => ({
    digest: (await tx.state()).digest,
    counters: await storedCounters(tx),
  }))
}

type StageInput = Omit<PublishInput, 'facts' | 'home'> & StagedStart

/** In an empty memory: nothing is there that files could clash with or links could lead to. */
export const stageFiles: Operation<StageInput, StagedFiles> = {
  name: 'stage-files',
  async run(tx, input, tools) {
    await tx.commit({ heatClock: input.heat })
    const seeding = input.seeds && createSeeding(input.seeds)
    let nextKey = input.firstKey
    const context = {
      ...newPutContext(tx, tools, input.about, seeding?.note),
      async newKeys(count: number): Promise<number> {
        nextKey += count
        return nextKey - count
      },
    }
    const groups = groupsOf(tools.source as AsyncIterable<DocumentInput[]>)
    const first = await groups.next()
    const { redactions } = await putFiles(context, input, { groups, first, early: undefined })
    await seeding?.apply(tx, await knownDocuments(tx, input))
    await context.snapshot.finish()
    return { added: context.counts.added, redactions }
  },
}

interface AdoptInput extends PublishInput, StagedSums {
  published: StagedFiles
}

/** Takes over what `stageFiles` stored. Null, and nothing is written, when a base is not what was read. */
export const adoptFiles: Operation<AdoptInput, Published | null> = {
  name: 'adopt-files',
  makesLinks: true,
  async run(tx, input, tools) {
    const context = newPutContext(tx, tools, input.about)
    const current = await knownDocuments(tx, input)
    if (!isCurrent(input, current)) return null
    if (input.home) await tx.commit({ home: input.home })
    const links = await linksToJoin(tx)
    const snapshotId = await context.snapshot.id()
    context.snapshot.changeDigest(input.digest)
    await tx.commit({ adopt: { snapshotId }, counters: input.counters })
    await joinLinks(tx, links)
    await writeFacts(tx, input, current)
    const { added, redactions } = input.published
    const snapshot = await context.snapshot.finish()
    return { ...nothingPublished(), added, total: added, redactions, snapshot }
  },
}
