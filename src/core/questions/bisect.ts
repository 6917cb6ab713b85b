import { WHAT_WAS } from '../history/history.ts'
import { findSnapshot } from '../past/moment.ts'
import type { MomentInput } from '../port/history.ts'
import { type AskDeps, ask } from './ask.ts'
import { causeOf } from './cause.ts'
import { type Edge, findEdge, findGood } from './halve.ts'
import { placeOf } from './judge.ts'
import type { BisectReport, Break, Expected, LostItem, Question, Unexplained } from './model.ts'
import { askedAt, type Timeline, timelineOf } from './timeline.ts'
import { createVerdicts, type Verdicts } from './verdicts.ts'

/** At most this many snapshots are tried for one that finds an item. */
const TRIED = 128

export interface BisectProgress {
  /** Questions that are done, and all of them. */
  done: number
  total: number
  /** Where the change is looked for: between these snapshots. */
  after: number
  before: number
}

export interface BisectOptions {
  /** A moment at which the questions were answered. Default: the latest that is found going back from now. */
  good?: MomentInput | undefined
  onProgress?: ((progress: BisectProgress) => void) | undefined
}

/** Finds the snapshots at which what is missing now was lost. Warms nothing. */
export async function bisectQuestions(
  deps: AskDeps,
  questions: readonly Question[],
  { good, onProgress = () => undefined }: BisectOptions = {},
): Promise<BisectReport> {
  const { snapshot: head } = await askedAt(deps)
  const given = good === undefined ? undefined : (await askedAt(deps, good)).snapshot
  const bisection: Bisection = { deps, timeline: timelineOf(deps), head, good: given, found: [] }
  const lost: Lost[] = []
  const unexplained: Unexplained[] = []
  let searches = 0
  for (const [done, question] of questions.entries()) {
    const verdicts = createVerdicts(deps, question)
    const onStep = ({ before, at }: Edge): void =>
      onProgress({ done, total: questions.length, after: before, before: at })
    for (const item of await missingOf(question, verdicts)) {
      const result = await edgeOf(bisection, verdicts, item, onStep)
      if ('tried' in result) unexplained.push({ ...aboutOf(question), ...item, ...result })
      else lost.push({ question, item, edge: result, repeated: verdicts.cameBack(item, result.before) })
    }
    searches += verdicts.searches()
  }
  const breaks = await breaksOf(deps, lost)
  return { snapshot: head, passed: lost.length + unexplained.length === 0, breaks, unexplained, searches }
}

interface Bisection {
  deps: AskDeps
  timeline: Timeline
  head: number
  good: number | undefined
  /** Edges of earlier items: one snapshot often loses several. */
  found: Edge[]
}

interface Lost {
  question: Question
  item: Expected
  edge: Edge
  repeated: boolean
}

async function missingOf({ expected }: Question, verdicts: Verdicts): Promise<Expected[]> {
  const missing: Expected[] = []
  for (const item of expected) if (!(await verdicts.isFoundNow(item))) missing.push(item)
  return missing
}

/** Where an item was lost; else that it was never found. */
async function edgeOf(
  { deps, timeline, head, good, found }: Bisection,
  verdicts: Verdicts,
  item: Expected,
  onStep: (edge: Edge) => void,
): Promise<Edge | Pick<Unexplained, 'tried'>> {
  const isFoundAt = (snapshot: number): Promise<boolean> => verdicts.isFoundAt(item, snapshot)
  if (await isFoundAt(head)) return { tried: 'head' }
  for (const edge of found) {
    const isPossible = good === undefined || edge.before >= good
    if (isPossible && (await isFoundAt(edge.before)) && !(await isFoundAt(edge.at))) return edge
  }
  onStep({ before: good ?? 0, at: head })
  const before = good === undefined ? await searchGood() : (await isFoundAt(good)) ? good : 'given'
  if (typeof before === 'string') return { tried: before }
  const edge = await findEdge(timeline, isFoundAt, { before, at: head }, onStep)
  found.push(edge)
  return edge

  async function searchGood(): Promise<number | 'all' | 'many'> {
    const likely = await likelyFor(deps, timeline, item)
    const { snapshot, triedAll } = await findGood(timeline, isFoundAt, { head, most: TRIED, likely })
    return snapshot ?? (triedAll ? 'all' : 'many')
  }
}

/** How many changes of a node are looked at. */
const CHANGES = 20

/** Before each change of a node it said something else. */
async function likelyFor(
  { store }: Pick<AskDeps, 'store'>,
  timeline: Timeline,
  { kind, value }: Expected,
): Promise<number[]> {
  if (kind !== 'node') return []
  const changes = await store.read((tx) => tx.versions({ nodeId: value }, { limit: CHANGES }), WHAT_WAS)
  const before = await Promise.all(changes.map(({ snapshotId }) => timeline.upTo(snapshotId - 1)))
  return before.filter((snapshot) => snapshot > 0)
}

/** Newest first. */
async function breaksOf(deps: AskDeps, lost: readonly Lost[]): Promise<Break[]> {
  const byEdge = Map.groupBy(lost, ({ edge }) => edge.at)
  const breaks: Break[] = []
  for (const [at, together] of [...byEdge].sort(([a], [b]) => b - a)) {
    const snapshot = await deps.store.read((tx) => findSnapshot(tx, at))
    // Somebody removed it meanwhile.
    if (!snapshot) continue
    const items: LostItem[] = []
    for (const one of together) items.push(await lostItem(deps, one))
    const [{ edge }] = together as [Lost]
    breaks.push({
      snapshot,
      before: edge.before,
      lost: items,
      repeated: together.some(({ repeated }) => repeated),
    })
  }
  return breaks
}

async function lostItem(deps: AskDeps, { question, item, edge }: Lost): Promise<LostItem> {
  const hits = {
    before: await ask(deps, question, { snapshot: edge.before, isNow: false }),
    at: await ask(deps, question, { snapshot: edge.at, isNow: false }),
  }
  const cause = await causeOf(deps.store, item, edge, hits)
  const place = placeOf(item, hits.before) ?? null
  return { ...aboutOf(question), ...item, place, cause }
}

function aboutOf({ question, line }: Question): { question: string; line: number | undefined } {
  return { question, line }
}
