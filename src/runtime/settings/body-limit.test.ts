import { expect, test } from 'vitest'
import { maxBodyBytes } from './body-limit.ts'
import type { Config } from './config.ts'
import { SETTINGS } from './settings.ts'

const MIB = 1024 * 1024

function limit(settings: Partial<Config> = {}): number {
  const defaults = Object.fromEntries(
    SETTINGS.map((setting) => [setting.name, setting.default]),
  ) as unknown as Config
  return maxBodyBytes({ ...defaults, ...settings })
}

test('a request has at most 4 MB if values of keys cannot be sent', () => {
  expect(limit()).toBe(4 * MIB)
  expect(limit({ 'server.tools': ['tree', 'records', 'files'] })).toBe(4 * MIB)
})

test.each([['keys'], ['all']])(
  'where %s are served it has room for the largest value, as JSON',
  (toolset) => {
    const tools = { 'server.tools': ['tree', toolset] }
    expect(limit(tools)).toBe(21 * MIB)
    expect(limit({ ...tools, 'keys.max_value_bytes': '30MB' })).toBe(61 * MIB)
    expect(limit({ ...tools, 'keys.max_value_bytes': 1, 'keys.max_blob_bytes': '30MB' })).toBe(41 * MIB)
    expect(limit({ ...tools, 'keys.max_value_bytes': 1, 'keys.max_blob_bytes': 1 })).toBe(4 * MIB)
  },
)

test('an explicit limit applies unchanged', () => {
  expect(limit({ 'server.tools': ['all'], 'server.http.max_body_size': '1MB' })).toBe(MIB)
})
