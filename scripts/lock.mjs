// One setup of a checkout at a time, whoever starts it. Node 20, no dependencies.
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfThere, SetupError, say } from './report.mjs'

const LOCK_WAIT_MS = 10 * 60_000
const LOCK_POLL_MS = 100
/** A lock without a readable pid is being made or broken; older than this, its maker has died. */
const LOCK_GRACE_MS = 5_000

/** Runs `body` while no other process sets this checkout up. The lock of a process that has died is taken over. */
export async function withLock(root, body) {
  const lock = join(root, 'dist', '.lock')
  await acquire(lock)
  try {
    return await body(lock)
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

async function acquire(lock) {
  mkdirSync(dirname(lock), { recursive: true })
  const deadline = Date.now() + LOCK_WAIT_MS
  let told = false
  while (!take(lock)) {
    if (isStale(lock)) breakLock(lock)
    else if (Date.now() > deadline)
      throw new SetupError(`another setup has held ${lock} for too long; if none runs, delete it`)
    else {
      if (!told) say('waiting for another setup of this folder…')
      told = true
      await sleep(LOCK_POLL_MS)
    }
  }
}

/** The lock appears together with its pid: a directory renamed into place, which fails when one is there. */
function take(lock) {
  const mine = `${lock}-${process.pid}`
  mkdirSync(mine, { recursive: true })
  writeFileSync(join(mine, 'pid'), String(process.pid))
  try {
    renameSync(mine, lock)
    return true
  } catch (error) {
    rmSync(mine, { recursive: true, force: true })
    if (['EEXIST', 'ENOTEMPTY', 'EPERM'].includes(error.code)) return false
    throw error
  }
}

function isStale(lock) {
  const pids = (readIfThere(join(lock, 'pid')) ?? '').split(' ').map(Number).filter(Boolean)
  return pids.length > 0 ? !pids.some(isAlive) : ageMs(lock) > LOCK_GRACE_MS
}

/** One breaker at a time, and it looks again: otherwise the second would delete the lock the first has just taken. */
function breakLock(lock) {
  const breaking = `${lock}-breaking`
  try {
    mkdirSync(breaking)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (ageMs(breaking) > LOCK_GRACE_MS) rmSync(breaking, { recursive: true, force: true })
    return
  }
  if (isStale(lock)) rmSync(lock, { recursive: true, force: true })
  rmSync(breaking, { recursive: true, force: true })
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    // A container's first process may not collect the dead: those still answer.
    return !/\) Z /.test(readIfThere(`/proc/${pid}/stat`) ?? '')
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Zero for what is not there. */
function ageMs(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? Date.now() - stats.mtimeMs : 0
}
