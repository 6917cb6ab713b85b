import { isMemoryError } from '../errors.ts'
import { type CheckResult, INDEX_CHECK, type ReadTx } from '../port/store.ts'
import { type CheckedTable, type DoctorTools, type Finding, fail, type RowChecks, TABLES } from './check.ts'
import { type CheckedRows, checkedPages } from './checked-rows.ts'
import { counterCheck } from './counters.ts'
import { documentCheck } from './documents.ts'
import { fileCheck } from './files.ts'
import { headCheck } from './head.ts'
import { heatCheck } from './heat.ts'
import { historyCheck } from './history.ts'
import { historyCostCheck } from './history-cost.ts'
import { labelCheck } from './labels.ts'
import { leaseCheck } from './leases.ts'
import { findLinkProblems, type LinkCheckTx } from './links.ts'
import { missingTextCheck } from './missing-texts.ts'
import { parentChecks } from './parents.ts'
import { stateDigestCheck } from './state-digest.ts'
import { textDigestCheck, textReferenceCheck } from './texts.ts'

/** The order of the report. Checks of the engine come last. */
const ORDER = [
  INDEX_CHECK,
  'orphan_parent_id',
  'head_cursor',
  'dangling_diffs',
  'history',
  'schema_version',
  'schema_objects',
  'foreign_keys',
  'missing_text',
  'text_digest',
  'text_refs',
  'labels',
  'unreachable_nodes',
  'links',
  'counters',
  'cursor_hash',
  'heat',
  'leases',
  'files',
  'documents',
  'pending_scrub',
  'database_file',
]

export type CheckTx = LinkCheckTx & Pick<ReadTx, 'engineChecks'>

/** Runs every check on the state of one transaction. Checks only read, each row once. */
export async function checkMemory(tx: CheckTx, { hash }: Pick<DoctorTools, 'hash'>): Promise<CheckResult[]> {
  const { checks, isReadable, now } = await tx.engineChecks()
  if (!isReadable) return checks
  const found = [...checks, ...(await checkRows(tx, { hash, now })), await checkLinks(tx)]
  return found.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function placeOf({ name }: CheckResult): number {
  const place = ORDER.indexOf(name)
  return place < 0 ? ORDER.length : place
}

async function checkLinks(tx: CheckTx): Promise<CheckResult> {
  try {
    return { name: 'links', ...(await findLinkProblems(tx)) }
  } catch (error) {
    return { name: 'links', ...uncheckable(error) }
  }
}

async function checkRows(tx: CheckTx, tools: DoctorTools): Promise<CheckResult[]> {
  const trials = allChecks(tools).map((checks): Trial => ({ checks }))
  for (const table of TABLES) await showTable(tx, table, trials)
  return trials.flatMap(({ checks, failure }) =>
    Object.entries(checks.findings).map(([name, finding]) => ({ name, ...(failure ?? finding()) })),
  )
}

function allChecks(tools: DoctorTools): RowChecks[] {
  return [
    headCheck(),
    parentChecks(),
    historyCheck(),
    historyCostCheck(),
    missingTextCheck(),
    textDigestCheck(),
    textReferenceCheck(),
    labelCheck(),
    counterCheck(),
    stateDigestCheck(tools),
    heatCheck(tools),
    leaseCheck(tools),
    fileCheck(),
    documentCheck(),
  ]
}

interface Trial {
  checks: RowChecks
  /** Why it could not finish. */
  failure?: Finding
}

/** Damaged or missing rows are reported without stopping: other checks may not need them. */
async function showTable<T extends CheckedTable>(tx: CheckTx, table: T, trials: Trial[]): Promise<void> {
  const seeing = trials.filter(({ checks, failure }) => !failure && checks.see[table])
  if (seeing.length === 0) return
  try {
    for await (const page of checkedPages(tx, table)) for (const trial of seeing) showPage(trial, table, page)
  } catch (error) {
    for (const trial of seeing) trial.failure ??= uncheckable(error)
  }
}

function showPage<T extends CheckedTable>(trial: Trial, table: T, page: readonly CheckedRows[T][]): void {
  const see: ((row: CheckedRows[T]) => void) | undefined = trial.checks.see[table]
  if (!see || trial.failure) return
  try {
    for (const row of page) see(row)
  } catch (error) {
    trial.failure = uncheckable(error)
  }
}

/** If the memory could not be read for now, there is no result. */
function uncheckable(error: unknown): Finding {
  if (isMemoryError(error) && error.code === 'UNAVAILABLE') throw error
  return fail(`cannot be checked: ${error instanceof Error ? error.message : String(error)}`)
}
