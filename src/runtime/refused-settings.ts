import { dirname } from 'node:path'
import { MemoryError } from '../core/errors.ts'
import { shellWord } from '../util/shell-word.ts'
import type { LoadedConfig } from './config.ts'
import { FOLDER_FILE } from './config-file.ts'

/** What to tell the operator of settings that a folder has and may not set; undefined where there are none. */
export function refusalOf({ asked, trust }: LoadedConfig, stateFolder: string): MemoryError | undefined {
  if (asked.length === 0 || trust === 'trusted') return undefined
  const names = asked.map(({ name }) => name).join(', ')
  const why =
    trust === 'changed'
      ? 'they changed since the folder was trusted; to see and accept them again'
      : 'a folder may not set these; to see and accept them'
  return new MemoryError(
    'FORBIDDEN',
    `ignored ${names} in ${FOLDER_FILE}: ${why}, run: ${trustCommand(dirname(stateFolder))}`,
  )
}

export function trustCommand(folder: string): string {
  return `remindb trust ${shellWord(folder)}`
}
