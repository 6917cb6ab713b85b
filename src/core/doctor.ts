import { MemoryError } from './errors.ts'
import type { CheckResult, CheckStatus, Engine } from './store.ts'

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

export interface DoctorDeps extends Pick<Engine, 'store' | 'maintenance'> {
  /** Compile roots as stored, made absolute; whether one is still there. */
  showRoot: (stored: string) => string
  pathExists: (path: string) => boolean
}

const DAMAGED_FILE = 'database_file'

/** Runs every check, reading only. */
export async function doctor(deps: DoctorDeps): Promise<DoctorReport> {
  const { found, roots } = await deps.store.read(async (tx) => {
    const checks = await tx.health()
    const isReadable = checks.length > 1
    return { found: checks, roots: isReadable ? await tx.listRoots() : [] }
  })
  if (found.length === 1) return report(found)
  const at = found.findIndex((check) => check.name === 'schema_version') + 1
  return report(found.toSpliced(at, 0, staleRoots(deps, roots)))
}

/** Repairs what can be repaired, one check after the other, and looks again. `backUp` runs before the first change. */
export async function heal(deps: DoctorDeps, backUp: () => Promise<void>): Promise<DoctorReport> {
  const before = await doctor(deps)
  const broken = before.checks.filter(
    ({ name, status }) => status === 'fail' || (name === 'pending_scrub' && status !== 'pass'),
  )
  if (broken.length === 0) return before
  const errors = new Map<string, string>()
  if (broken.some(({ name }) => name === DAMAGED_FILE)) {
    // A change would only spread the damage.
    for (const { name } of broken)
      errors.set(name, 'not tried: the file is damaged; restore the newest backup')
    return report(before.checks.map((check) => withFix(check, broken, errors)))
  }
  await backUp()
  for (const { name } of broken) {
    try {
      if (name === 'pending_scrub') await scrubNow(deps)
      else await deps.store.write((tx) => tx.heal(name))
    } catch (error) {
      errors.set(name, error instanceof Error ? error.message : String(error))
    }
  }
  const after = await doctor(deps)
  return report(after.checks.map((check) => withFix(check, broken, errors)))
}

async function scrubNow({ maintenance }: DoctorDeps): Promise<void> {
  if (await maintenance.scrub()) return
  throw new MemoryError('UNAVAILABLE', 'another process is reading, or the disk is full; try again later')
}

function withFix(check: CheckResult, broken: CheckResult[], errors: Map<string, string>): HealedCheck {
  if (!broken.some(({ name }) => name === check.name)) return check
  const error = errors.get(check.name)
  if (error !== undefined) return { ...check, fix_error: error }
  return check.status === 'pass'
    ? { ...check, fix_applied: true }
    : { ...check, fix_error: 'cannot be repaired' }
}

function staleRoots(deps: DoctorDeps, stored: string[]): CheckResult {
  const name = 'stale_compile_root'
  const roots = stored.map(deps.showRoot)
  const gone = roots.filter((root) => !deps.pathExists(root))
  if (gone.length === 0) return { name, status: 'pass', detail: `${roots.length} compile roots present` }
  const detail = `${gone.length}/${roots.length} compile roots no longer exist: [${gone.join(', ')}]`
  return { name, status: 'warn', detail }
}

const RANK: Record<CheckStatus, number> = { pass: 0, warn: 1, fail: 2 }

function report(checks: HealedCheck[]): DoctorReport {
  const worst = checks.reduce<CheckStatus>(
    (status, check) => (RANK[check.status] > RANK[status] ? check.status : status),
    'pass',
  )
  return { status: worst, checks }
}
