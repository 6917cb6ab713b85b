import { MemoryError } from '../../core/errors.ts'
import { createSettledFile } from '../../util/files/settled-file.ts'
import { type Config, type ConfigInput, configFiles, loadConfig, toConfig } from './config.ts'
import { refusalOf } from './refused-settings.ts'
import type { SettingName } from './settings.ts'

export interface LiveConfigInput extends Omit<ConfigInput, 'files'> {
  /** Called once for each invalid edit; the last good values stay. */
  onInvalid: (error: unknown) => void
  /** Called once with settings that do not apply: the folder may not set them, or they are only read at the start. */
  onIgnored?: (notice: MemoryError) => void
}

export type LiveConfig = () => Config

/** The settings that follow the files while a memory is open. The rest is read when it is opened. */
const FOLLOWED = /^((temperature|rescan|records|keys|notes|quota)\.(?!views$)|files\.max_)/

/** Settings that are reloaded when one of their files was edited. Throws immediately if they are invalid now. */
export function openLiveConfig(input: LiveConfigInput): LiveConfig {
  const { onInvalid, onIgnored = () => undefined, stateFolder } = input
  // Called with every write: an unchanged file is not opened.
  const files = configFiles(input, (path, read) => createSettledFile({ path, read, absent: '' }))
  let loaded = loadConfig({ ...input, files })
  let config = toConfig(loaded)
  let refusal: string | undefined
  const readTexts = (): string[] => [
    files.folder(),
    files.user(),
    loaded.asked.length > 0 ? files.trusted() : '',
  ]
  let seen: string[] | null = readTexts()
  tellRefusal()

  function tellRefusal(): void {
    const notice = refusalOf(loaded, stateFolder ?? '')
    if (notice && notice.message !== refusal) onIgnored(notice)
    refusal = notice?.message
  }

  function load(): void {
    const before = config
    loaded = loadConfig({ ...input, files })
    config = toConfig(loaded)
    tellRefusal()
    const late = settingsEdited(before, config).filter((name) => !FOLLOWED.test(name))
    if (late.length > 0) onIgnored(lateNotice(late))
  }

  function reload(): void {
    let texts: string[] | null = null
    try {
      texts = readTexts()
      if (!isSame(texts, seen)) load()
    } catch (error) {
      if (!isSame(texts, seen)) onInvalid(error)
    }
    seen = texts
  }

  return () => {
    reload()
    return config
  }
}

function settingsEdited(before: Config, after: Config): SettingName[] {
  const names = Object.keys(after) as SettingName[]
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

function lateNotice(names: readonly SettingName[]): MemoryError {
  const were = names.length === 1 ? 'was' : 'were'
  return new MemoryError('CONFLICT', `${names.join(', ')} ${were} edited; the change applies after a restart`)
}

function isSame(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other
  return one.every((text, at) => text === other[at])
}
