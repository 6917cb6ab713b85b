import { expect, test } from 'vitest'
import { loadConfig, toConfig } from './config.ts'
import { notificationWindows } from './notification-windows.ts'

const windowsOf = (resources: object) => {
  const folder = () => JSON.stringify({ server: { resources } })
  const files = { folder, user: () => '', trusted: () => '' }
  return notificationWindows(toConfig(loadConfig({ stateFolder: null, env: {}, files })))
}

test('half a second for all; a second for logs, two for temperature', () => {
  expect(windowsOf({})).toEqual({
    windows: {
      ...{ graph: 500, snapshots: 500, log: 500, tree: 500, files: 500, rescan: 500 },
      ...{ temperature: 2000, logs: 1000, audit: 500 },
      ...{ records: 500, keys: 500 },
    },
    maxWaitMs: 5000,
  })
})

test('the window for all resources is raised to each floor; the window of one resource applies as given', () => {
  expect(windowsOf({ debounce: '1.5s', max_wait: '1m' })).toMatchObject({
    windows: { graph: 1500, logs: 1500, temperature: 2000 },
    maxWaitMs: 60_000,
  })
  expect(windowsOf({ debounce: '0' }).windows).toMatchObject({ graph: 0, logs: 1000, temperature: 2000 })
  expect(
    windowsOf({ debounce: '3s', overrides: { logs: '10ms', tree: '0', memory: '1s' } }).windows,
  ).toMatchObject({
    ...{ logs: 10, tree: 0, graph: 3000, temperature: 3000 },
    ...{ records: 1000, keys: 1000 },
  })
})
