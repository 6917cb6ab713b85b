import type { CheckResult, CheckStatus, Maintenance, Store } from '../port/store.ts'
import { listRoots } from '../write/documents.ts'
import { repair } from './repair.ts'

/** `remindb://doctor` and `doctor --json`: the keys and their order are locked. */
export interface DoctorReport {
  status: CheckStatus
  checks: HealedCheck[]
}

export interface HealedCheck extends CheckResult {
  /** Only after `heal`, and only for checks that it repaired or tried to. */
  fix_applied?: boolean
  fix_error?: string
}

export interface DoctorDeps {
  store: Pick<Store, 'read'>
  maintenance: Pick<Maintenance, 'check'>
  /** Makes a stored compile root absolute. */
  showRoot: (stored: string) => string
  /** Whether each root exists; undefined: it was not named on this machine, so it is not checked. */
  rootsExist: (roots: readonly string[]) => (boolean | undefined)[]
}

/** Dependencies of repairs. */
export interface HealDeps extends DoctorDeps {
  store: Store
  maintenance: Maintenance
}

/** Makes a copy under a new name: `copy` writes it there. */
export type BackUp = (copy: (file: string) => Promise<void>) => Promise<void>

/** The check of the schema: healed first, since foreign parts of it may run on any statement. */
const SCHEMA = 'schema_objects'
/** The check whose failure no change can heal. */
const DAMAGED_FILE = 'database_file'
/** Checks that cannot be repaired from the file: no backup is made for them. */
const BEYOND_REPAIR = new Set([DAMAGED_FILE, 'schema_version', 'text_digest', 'history'])
/** Healing one check can reveal another failure. */
const MAX_ROUNDS = 3

/** Runs every check, reading only. */
export async function doctor(deps: DoctorDeps): Promise<DoctorReport> {
  const found = await deps.maintenance.check()
  // If the schema is old, or has foreign parts, nothing else is read.
  if (found.length === 1) return report(found)
  const at = found.findIndex((check) => check.name === 'schema_version') + 1
  return report(found.toSpliced(at, 0, await staleRoots(deps)))
}

function isDamaged(checks: readonly CheckResult[]): boolean {
  return checks.some(({ name, status }) => name === DAMAGED_FILE && status === 'fail')
}

/**
 * Repairs what can be repaired, check by check, and checks again. `backUp` runs before the first change, if the engine
 * has files.
 */
export async function heal(deps: HealDeps, backUp: BackUp): Promise<DoctorReport> {
  const { files } = deps.maintenance
  const tried = new Set<string>()
  const errors = new Map<string, string>()
  let current = await doctor(deps)
  let last = ''
  let isBackedUp = false
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const broken = brokenChecks(current)
    // A round that repaired something may have made others repairable; one that changed nothing was the last.
    if (broken.join() === last) break
    last = broken.join()
    // A change would only spread the damage.
    let obstacle = isDamaged(current.checks) ? 'the file is damaged; restore the newest backup' : undefined
    for (const name of broken) {
      tried.add(name)
      errors.delete(name)
      if (obstacle !== undefined) errors.set(name, `not tried: ${obstacle}`)
      if (obstacle !== undefined || BEYOND_REPAIR.has(name)) continue
      if (files && !isBackedUp && name !== SCHEMA) {
        await backUp(files.backup)
        isBackedUp = true
      }
      const error = await healCheck(deps, name, backUp)
      if (error !== undefined) errors.set(name, error)
      if (name !== SCHEMA) continue
      if (error === undefined) isBackedUp = true
      else obstacle = `${SCHEMA} cannot be repaired`
    }
    current = await doctor(deps)
  }
  return report(current.checks.map((check) => (tried.has(check.name) ? withFix(check, errors) : check)))
}

function brokenChecks({ checks }: DoctorReport): string[] {
  const names = checks.filter(({ status }) => status === 'fail').map((check) => check.name)
  return names.includes(SCHEMA) ? [SCHEMA, ...names.filter((name) => name !== SCHEMA)] : names
}

/** The error, if any. */
async function healCheck(
  { store, maintenance }: HealDeps,
  name: string,
  backUp: BackUp,
): Promise<string | undefined> {
  try {
    if (name === SCHEMA && maintenance.files) await backUp(maintenance.files.repairSchema)
    else if (name !== 'pending_scrub') await store.write(repair, { name })
    else if (!(await maintenance.scrub()))
      return 'another process is reading, or the disk is full; retry later'
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function withFix(check: CheckResult, errors: Map<string, string>): HealedCheck {
  if (check.status === 'pass') return { ...check, fix_applied: true }
  return { ...check, fix_error: errors.get(check.name) ?? 'cannot be repaired from the file' }
}

async function staleRoots(deps: DoctorDeps): Promise<CheckResult> {
  const name = 'stale_compile_root'
  const stored = await tryListRoots(deps)
  if (typeof stored === 'string') return { name, status: 'warn', detail: `cannot be checked: ${stored}` }
  const roots = stored.map(deps.showRoot)
  const exist = deps.rootsExist(roots)
  const gone = roots.filter((_, at) => exist[at] === false)
  const unnamed = exist.filter((found) => found === undefined).length
  const others = unnamed === 0 ? '' : `; ${unnamed} not named on this machine, not checked`
  if (gone.length === 0)
    return { name, status: 'pass', detail: `${roots.length - unnamed} compile roots present${others}` }
  const detail = `${gone.length}/${roots.length} compile roots no longer exist: [${gone.join(', ')}]${others}`
  return { name, status: 'warn', detail }
}

/** The roots, or the error: handled here, so that it does not fail the other checks. */
async function tryListRoots({ store }: DoctorDeps): Promise<string[] | string> {
  try {
    return await store.read(listRoots, { includeExpired: true })
  } catch (error) {
    return messageOf(error)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const RANK: Record<CheckStatus, number> = { pass: 0, warn: 1, fail: 2 }

function report(checks: HealedCheck[]): DoctorReport {
  const worst = checks.reduce<CheckStatus>(
    (status, check) => (RANK[check.status] > RANK[status] ? check.status : status),
    'pass',
  )
  return { status: worst, checks }
}
