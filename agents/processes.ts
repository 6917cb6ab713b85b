import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

const GRACE_MS = 3000

/** Groups that are still there. */
const groups = new Set<number>()

export interface Command {
  command: string
  args: string[]
  cwd: string
  env: Record<string, string>
  /** Gets stdout and stderr. */
  log: string
}

/**
 * Runs a command in a process group of its own, to its end or for `timeoutMs`; then the whole group is ended. Gives the exit code, or
 * undefined when it took too long.
 */
export async function runBounded(command: Command, timeoutMs: number): Promise<number | undefined> {
  const child = start(command)
  const ended = once(child, 'close').then(([code]) => (code as number | null) ?? undefined)
  const timer = new AbortController()
  const code = await Promise.race([
    ended.catch(() => undefined),
    delay(timeoutMs, undefined, { signal: timer.signal }).catch(() => undefined),
  ])
  timer.abort()
  await endGroup(child)
  return code
}

/** Starts a command in a process group of its own. */
export function start({ command, args, cwd, env, log }: Command): ChildProcess {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  leaveNothingBehind()
  if (child.pid) groups.add(child.pid)
  writeFileSync(log, '')
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => appendFileSync(log, piece))
  return child
}

/** A group of its own gets no signal of the terminal: what is still there ends with this process. */
function leaveNothingBehind(): void {
  if (process.listeners('exit').includes(killGroups)) return
  process.prependListener('exit', killGroups)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
}

function killGroups(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL')
}

/** Ends what is left of a group that `start` made: with SIGTERM, and with SIGKILL what is still there after that. */
export async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (!pid) return
  const until = Date.now() + GRACE_MS
  let isThere = signalGroup(pid, 'SIGTERM')
  while (isThere && Date.now() < until) {
    await delay(50)
    isThere = signalGroup(pid, 0)
  }
  if (isThere) signalGroup(pid, 'SIGKILL')
  groups.delete(pid)
}

/**
 * Ends what left its group: a program may start a daemon. What has the home of a run, which is nobody else's, was started by it.
 * Elsewhere than on Linux the environment of processes cannot be read, and daemons stay until they end by themselves.
 */
export function endStrays(home: string): void {
  if (!existsSync('/proc/self/environ')) return
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    if (environmentOf(pid).includes(`HOME=${home}`)) process.kill(pid, 'SIGKILL')
  }
}

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return [] // it ended, or is another user's
  }
}

/** Whether there was a process to signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
