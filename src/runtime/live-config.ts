import { type Config, type ConfigInput, loadConfig, readConfigText, toConfig } from './config.ts'

export interface LiveConfigInput extends Omit<ConfigInput, 'text'> {
  /** Told once of each edit that cannot be used; the last good values stay. */
  onInvalid: (error: unknown) => void
}

export type LiveConfig = () => Config

/** Settings that are read again when `config.json` says something else. Throws at once if it cannot be used now. */
export function openLiveConfig({ onInvalid, ...input }: LiveConfigInput): LiveConfig {
  let seen: string | null = readConfigText(input.stateFolder)
  let config = toConfig(loadConfig({ ...input, text: seen }))

  function reload(): void {
    let text: string | null = null
    try {
      // Compared as a whole: it is small, and times of modification miss quick edits.
      text = readConfigText(input.stateFolder)
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
