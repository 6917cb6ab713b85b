import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds that threads of a process had a core. */
export interface ProcessorTime {
  all: number
  /** Of them, the thread that speaks to clients. */
  main: number
}

/** Of another process, all its threads that still run. Only Linux tells. */
export function processorTime(pid: number): ProcessorTime {
  const tasks = join('/proc', String(pid), 'task')
  const times = readdirSync(tasks).map((thread) => ({ thread, ms: threadMs(join(tasks, thread)) }))
  return {
    all: times.reduce((sum, { ms }) => sum + ms, 0),
    main: times.find(({ thread }) => thread === String(pid))?.ms ?? 0,
  }
}

function threadMs(folder: string): number {
  const nanoseconds = readFileSync(join(folder, 'schedstat'), 'utf8').split(' ')[0]
  return Number(nanoseconds) / 1e6
}

/** What is in no file: it would have to be written out before others could have it. Only Linux tells. */
export function anonymousMb(pid: number): number {
  return statusMb(pid, 'RssAnon')
}

export function residentMb(pid: number): number {
  return statusMb(pid, 'VmRSS')
}

/** The most it had so far. */
export function peakResidentMb(pid: number): number {
  return statusMb(pid, 'VmHWM')
}

function statusMb(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]
  return Number(kilobytes) / 1024
}
