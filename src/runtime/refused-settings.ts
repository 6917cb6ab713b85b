import { dirname } from 'node:path'
import { MemoryError } from '../core/errors.ts'
import { shellWord } from '../util/shell-word.ts'
import type { LoadedConfig } from './config.ts'
import { FOLDER_FILE } from './config-file.ts'
import type { Setting } from './setting-values.ts'
import { SETTINGS } from './settings.ts'
import type { AskedSetting } from './trusted-folders.ts'

/** What to tell the operator of settings that a folder has and may not set; undefined where there are none. */
export function refusalOf({ asked, trust }: LoadedConfig, stateFolder: string): MemoryError | undefined {
  if (asked.length === 0 || trust === 'trusted') return undefined
  const names = asked.map(({ name }) => name).join(', ')
  const why =
    trust === 'changed'
      ? 'they changed since the folder was trusted; to see and accept them again'
      : `${reasonOf(asked, stateFolder)}; to see and accept ${asked.length === 1 ? 'it' : 'them'}`
  return new MemoryError(
    'FORBIDDEN',
    `ignored ${names} in ${FOLDER_FILE}: ${why}, run: remindb trust ${shellWord(dirname(stateFolder))}`,
  )
}

function reasonOf(asked: readonly AskedSetting[], stateFolder: string): string {
  const bounds = asked.flatMap(({ name, value }) => {
    const setting = (SETTINGS as readonly Setting[]).find((one) => one.name === name)
    const parsed = setting?.inFolder?.(value, stateFolder)
    return parsed && 'refused' in parsed ? [`${name} must be ${parsed.refused}`] : []
  })
  const others = asked.length - bounds.length
  const forbidden = others === 0 ? [] : [`a folder may not set ${others === 1 ? 'this' : 'these'}`]
  return [...forbidden, ...bounds.map((bound) => `in a folder ${bound}`)].join('; ')
}
