import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Makes `.remindb`, for its owner alone. What people write themselves may be shared; nothing else of it by accident. */
export function createStateFolder(stateFolder: string): void {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
  const ignoreFile = join(stateFolder, '.gitignore')
  if (!existsSync(ignoreFile)) writeFileSync(ignoreFile, '*\n!config.json\n!ignore\n!temperatures.json\n')
}
