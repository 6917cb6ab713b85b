import { dirname } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { shellWord } from '../../util/text/shell-word.ts'
import type { LoadedConfig } from './config.ts'
import { FOLDER_FILE } from './config-file.ts'
import type { Setting } from './setting-values.ts'
import { SETTINGS } from './settings.ts'
import type { AskedSetting } from './trusted-folders.ts'

/** A warning for the operator about settings that a folder has and may not set; undefined if there are none. */
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
  const forbidden: string[] = []
  const bounds: string[] = []
  for (const { name, value } of asked) {
    const setting = (SETTINGS as readonly Setting[]).find((one) => one.name === name)
    const parsed = setting?.inFolder?.(value, stateFolder)
    if (parsed && 'refused' in parsed) bounds.push(`in a folder ${name} must be ${parsed.refused}`)
    else forbidden.push(name)
  }
  const pronoun = forbidden.length === 1 ? 'this' : 'these'
  const which = bounds.length === 0 ? pronoun : forbidden.join(', ')
  return [...(forbidden.length > 0 ? [`a folder may not set ${which}`] : []), ...bounds].join('; ')
}
