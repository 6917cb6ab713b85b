import type { CheckResult, CheckStatus, Maintenance, Store } from '../port/store.ts'
import { listRoots } from '../write/documents.ts'
import { repair } from './repair.ts'

/** `remindb://doctor` and `doctor --json`: the keys and their order are locked. */
export interface DoctorReport {
  status: CheckStatus
  checks: HealedCheck[]
}

export interface HealedCheck extends CheckResult {
  /** Only after `heal`, and only for checks it had to do something about. */
  fix_applied?: boolean
  fix_error?: string
}

export interface DoctorDeps {
  store: Pick<Store, 'read'>
  maintenance: Pick<Maintenance, 'check'>
  /** A compile root as stored, made absolute. */
  showRoot: (stored: string) => string
  /** Of each root whether it exists; undefined: nobody named it on this machine, so it is not looked at. */
  rootsExist: (roots: readonly string[]) => (boolean | undefined)[]
}

/** What repairs need beside. */
export interface HealDeps extends DoctorDeps {
  store: Store
  maintenance: Maintenance
}

/** Has a copy made under a new name: `copy` writes it there. */
export type BackUp = (copy: (file: string) => Promise<void>) => Promise<void>

/** The check of what the schema holds: healed first, since it may have anything run that is asked of it. */
const SCHEMA = 'schema_objects'
/** The check whose failure no change can heal. */
const DAMAGED_FILE = 'database_file'
/** Checks of what nothing in the file can repair: no backup is made for them. */
const BEYOND_REPAIR = new Set([DAMAGED_FILE, 'schema_version', 'text_digest'])
/** Healing one thing can bring another to light. */
const MAX_ROUNDS = 3

/** Runs every check, reading only. */
export async function doctor(deps: DoctorDeps): Promise<DoctorReport> {
  const found = await deps.maintenance.check()
  // Nothing else is asked where the schema is old, or not ours alone.
  if (found.length === 1) return report(found)
  const at = found.findIndex((check) => check.name === 'schema_version') + 1
  return report(found.toSpliced(at, 0, await staleRoots(deps)))
}

function isDamaged(checks: readonly CheckResult[]): boolean {
  return checks.some(({ name, status }) => name === DAMAGED_FILE && status === 'fail')
}

/** Repairs what can be repaired, one check after the other, and looks again. `backUp` runs before the first change, where there are files. */
export async function heal(deps: HealDeps, backUp: BackUp): Promise<DoctorReport> {
  const { files } = deps.maintenance
  const tried = new Set<string>()
  const errors = new Map<string, string>()
  let current = await doctor(deps)
  let last = ''
  let isBackedUp = false
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const broken = brokenChecks(current)
    // A round that helped with one may have cleared the way for another; one that changed nothing was the last.
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

/** What went wrong, if something did. */
async function healCheck(
  { store, maintenance }: HealDeps,
  name: string,
  backUp: BackUp,
): Promise<string | undefined> {
  try {
    if (name === SCHEMA && maintenance.files) await backUp(maintenance.files.repairSchema)
    else if (name !== 'pending_scrub') await store.write(repair, { name })
    else if (!(await maintenance.scrub()))
      return 'another process is reading, or the disk is full; try again later'
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function withFix(check: CheckResult, errors: Map<string, string>): HealedCheck {
  if (check.status === 'pass') return { ...check, fix_applied: true }
  return { ...check, fix_error: errors.get(check.name) ?? 'cannot be repaired from what is in the file' }
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

/** What is wrong, if they cannot be listed: by itself, for a failed call would fail the other checks with it. */
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
