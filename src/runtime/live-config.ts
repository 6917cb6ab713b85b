import { createSettledFile } from '../util/settled-file.ts'
import { type Config, type ConfigInput, configPath, loadConfig, readConfigText, toConfig } from './config.ts'

export interface LiveConfigInput extends Omit<ConfigInput, 'text'> {
  /** Told once of each edit that cannot be used; the last good values stay. */
  onInvalid: (error: unknown) => void
}

export type LiveConfig = () => Config

/** Settings that are read again when `config.json` says something else. Throws at once if it cannot be used now. */
export function openLiveConfig({ onInvalid, ...input }: LiveConfigInput): LiveConfig {
  const readText = textReader(input.stateFolder)
  let seen: string | null = readText()
  let config = toConfig(loadConfig({ ...input, text: seen }))

  function reload(): void {
    let text: string | null = null
    try {
      text = readText()
      if (text !== seen) config = toConfig(loadConfig({ ...input, text }))
    } catch (error) {
      if (text !== seen) onInvalid(error)
    }
    seen = text
  }

  return () => {
    reload()
    return config
  }
}

/** Asked for with every write: a file that is as it was is not opened. */
function textReader(stateFolder: string | null): () => string {
  const read = (): string => readConfigText(stateFolder)
  return stateFolder === null ? read : createSettledFile({ path: configPath(stateFolder), read, absent: '' })
}
