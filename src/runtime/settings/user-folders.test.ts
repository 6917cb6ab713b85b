import { expect, test } from 'vitest'
import { userFolders } from './user-folders.ts'

const home = '/home/ada'

test('uses the XDG folders on every platform when they are set', () => {
  const env = { XDG_CONFIG_HOME: '/x/config', XDG_CACHE_HOME: '/x/cache' }
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect(userFolders({ env, platform, home })).toEqual({
      config: '/x/config/remindb',
      cache: '/x/cache/remindb',
    })
})

test.each([
  ['linux', '/home/ada/.config/remindb', '/home/ada/.cache/remindb'],
  ['darwin', '/home/ada/Library/Application Support/remindb', '/home/ada/Library/Caches/remindb'],
  ['win32', '/home/ada/AppData/Roaming/remindb', '/home/ada/AppData/Local/remindb'],
] as const)('falls back to the usual folders of %s', (platform, config, cache) => {
  expect(userFolders({ env: {}, platform, home })).toEqual({ config, cache })
})

test('ignores a relative or empty XDG folder', () => {
  const env = { XDG_CONFIG_HOME: 'here', XDG_CACHE_HOME: '' }
  expect(userFolders({ env, platform: 'linux', home })).toEqual({
    config: '/home/ada/.config/remindb',
    cache: '/home/ada/.cache/remindb',
  })
})
