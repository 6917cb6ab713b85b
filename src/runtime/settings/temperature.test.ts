import { expect, test } from 'vitest'
import { loadConfig, toConfig } from './config.ts'
import { temperatureOf } from './temperature.ts'

const load = (temperature: object, env: NodeJS.ProcessEnv = {}) =>
  toConfig(
    loadConfig({
      stateFolder: null,
      files: { folder: () => JSON.stringify({ temperature }), user: () => '', trusted: () => '' },
      env,
    }),
  )

test('heat halves in two weeks by default', () => {
  const { ratePerHour } = temperatureOf(load({}))
  expect(Math.exp(-ratePerHour * 14 * 24)).toBeCloseTo(0.5, 4)
})

test('heat has its published defaults', () => {
  expect(temperatureOf(load({}))).toEqual({
    enabled: true,
    ratePerHour: 0.002063,
    accessBoost: 0.15,
    treeBoost: 0.015,
    cold: 0.1,
    hot: 0.6,
    notifyBelow: 0.1,
    rebound: 0.5,
    tickIntervalMs: 300_000,
    reportEveryMs: 3_600_000,
    reportLimit: 50,
  })
})

test('durations and switches are read from the file and from the environment', () => {
  const file = load({ enabled: false, tick_interval: '1h30m', cold_notify_ttl: '0', decay_rate: 0 })
  expect(temperatureOf(file)).toMatchObject({
    enabled: false,
    tickIntervalMs: 5_400_000,
    reportEveryMs: 0,
    ratePerHour: 0,
  })
  const env = { REMINDB_TEMPERATURE_ENABLED: 'false', REMINDB_TEMPERATURE_TICK_INTERVAL: '500ms' }
  expect(temperatureOf(load({}, env))).toMatchObject({ enabled: false, tickIntervalMs: 500 })
})

test.each([
  [{ enabled: 'yes' }, 'temperature.enabled must be true or false, got "yes"'],
  [{ enabled: 1 }, 'temperature.enabled must be true or false, got 1'],
  [{ decay_rate: -1 }, 'temperature.decay_rate must be a number from 0 to 1000, got -1'],
  [{ access_boost: 2 }, 'temperature.access_boost must be a number from 0 to 1, got 2'],
  [{ tree_boost: 1.5 }, 'temperature.tree_boost must be a number from 0 to 1, got 1.5'],
  [{ tick_interval: 300 }, 'temperature.tick_interval must be a duration above 0 and up to 24h such as'],
  [{ tick_interval: '0s' }, 'temperature.tick_interval must be a duration above 0'],
  [{ tick_interval: '25h' }, 'temperature.tick_interval must be a duration above 0 and up to 24h'],
  [{ cold_notify_ttl: '-1h' }, 'temperature.cold_notify_ttl must be a duration up to 8760h'],
  [{ cold_notify_limit: 0 }, 'temperature.cold_notify_limit must be a whole number from 1 to 10000, got 0'],
])('%j is refused', (temperature, message) => {
  expect(() => load(temperature)).toThrow(message)
})
