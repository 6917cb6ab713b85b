import type { Observer } from '../mcp/observer.ts'

/** What a server knows of itself, whether or not its memory can be opened. */
export type OwnObserver = Pick<Observer, 'logs' | 'sessions' | 'customViews'>
export type OpenedObserver = Omit<Observer, keyof OwnObserver>

const NEED_MEMORY: Record<keyof OpenedObserver, true> = {
  overview: true,
  files: true,
  firstLook: true,
  eachTree: true,
  forestPage: true,
  graph: true,
  graphPage: true,
  snapshots: true,
  snapshotsPage: true,
  diffs: true,
  diffsPage: true,
  temperature: true,
  temperaturePage: true,
  doctor: true,
  search: true,
  keyIndex: true,
  findKey: true,
  keyVersion: true,
  recordView: true,
  findCustomView: true,
  recordStamp: true,
  customStamp: true,
  sessionsHistory: true,
  findClientHistory: true,
  sessionsLogs: true,
  findSessionLog: true,
  rescan: true,
}

/**
 * Opens the memory only for who asks about it. The log is there when it cannot be opened, which is when it is wanted; and
 * reading it does not try to, which would be one more record for who follows it.
 */
export function createLazyObserver(own: OwnObserver, open: () => Promise<OpenedObserver>): Observer {
  const names = Object.keys(NEED_MEMORY) as (keyof OpenedObserver)[]
  const asked = names.map((name) => [
    name,
    async (...input: unknown[]) => {
      const call = (await open())[name] as (...input: unknown[]) => unknown
      return call(...input)
    },
  ])
  return { ...own, ...(Object.fromEntries(asked) as OpenedObserver) }
}
