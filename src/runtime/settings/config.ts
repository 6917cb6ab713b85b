import { delimiter } from 'node:path'
import {
  configPath,
  type FileSetting,
  FOLDER_FILE,
  parseConfigFile,
  parseSetting,
  readConfigText,
  refuseUnknown,
} from './config-file.ts'
import type { ParseSetting, Setting, SettingValue } from './setting-values.ts'
import { SETTINGS, type SettingName } from './settings.ts'
import { type AskedSetting, readTrustedText, type Trust, trustedPath, trustIn } from './trusted-folders.ts'
import { type UserFolders, userFolders } from './user-folders.ts'

/** Where a value came from, strongest first. */
export type Origin = 'flag' | 'environment' | 'folder' | 'user file' | 'default'

export interface Effective {
  name: SettingName
  value: SettingValue
  origin: Origin
}

/** Every setting, of the type that its parser gives. */
export type Config = {
  [S in (typeof SETTINGS)[number] as S['name']]: S extends { parse: ParseSetting<infer T> } ? T : never
}

export interface ConfigInput {
  /** Values given on the command line or by a caller, by setting name. */
  flags?: Partial<Record<SettingName, unknown>>
  /** The `.remindb` folder, or null if there is none. */
  stateFolder: string | null
  /** How the files are read, where not every time from the disk. */
  files?: ConfigFiles
  env?: NodeJS.ProcessEnv
  /** Defaults that differ from those in the table. */
  defaults?: Partial<Config>
}

/** The text of each settings file; empty if it does not exist. */
export interface ConfigFiles {
  folder(): string
  user(): string
  /** Only called if the folder has settings that need it. */
  trusted(): string
}

export interface LoadedConfig {
  /** Every setting. */
  settings: Effective[]
  /** The operator settings that the folder sets, by name. They apply if the folder is trusted. */
  asked: AskedSetting[]
  trust: Trust
}

/** Every setting with its value and where it came from. An unknown key or an invalid value is refused by name. */
export function loadConfig(input: ConfigInput): LoadedConfig {
  const { flags = {}, stateFolder, env = process.env, defaults = {} } = input
  const { folder: folderText, user: userText, trusted } = input.files ?? configFiles(input)
  refuseUnknown(Object.keys(flags), '')
  const folder = parseConfigFile(folderText(), FOLDER_FILE)
  const user = parseConfigFile(userText(), userConfigPath(env))
  const asked = askedOf(folder, stateFolder ?? '')
  const trust =
    asked.length === 0
      ? 'none'
      : trustIn({ path: ownTrustedPath(env), text: trusted() }, stateFolder ?? '', asked)
  if (trust !== 'trusted') for (const { name } of asked) folder.delete(name)
  const settings = SETTINGS.map((setting: Setting) => {
    const found = effective(setting, { flags, env, folder, user })
    const value = found.origin === 'default' ? (defaults[found.name] ?? found.value) : found.value
    return { ...found, value }
  })
  return { settings, asked, trust }
}

export function toConfig({ settings }: Pick<LoadedConfig, 'settings'>): Config {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value])) as Config
}

/** The settings file of the user who runs the program. */
export function userConfigPath(env: NodeJS.ProcessEnv = process.env): string {
  return configPath(ownFolders(env).config)
}

/** The list of folders that this person trusts. */
export function ownTrustedPath(env: NodeJS.ProcessEnv = process.env): string {
  return trustedPath(ownFolders(env).config)
}

type FollowFile = (path: string, read: () => string) => () => string

/** How each file is read: `follow` may cache its settings. */
export function configFiles(
  { stateFolder, env = process.env }: Pick<ConfigInput, 'stateFolder' | 'env'>,
  follow: FollowFile = (_path, read) => read,
): ConfigFiles {
  const user = userConfigPath(env)
  const trusted = ownTrustedPath(env)
  return {
    folder: stateFolder === null ? () => '' : folderFile(stateFolder, follow),
    user: follow(user, () => readConfigText(user)),
    trusted: follow(trusted, () => readTrustedText(trusted)),
  }
}

function folderFile(stateFolder: string, follow: FollowFile): () => string {
  const path = configPath(stateFolder)
  return follow(path, () => readConfigText(path, { name: FOLDER_FILE, within: stateFolder }))
}

/** The settings that a folder needs trust for: operator settings, and values beyond the bounds of a folder. */
function askedOf(folder: ReadonlyMap<SettingName, FileSetting>, stateFolder: string): AskedSetting[] {
  const settings = SETTINGS as readonly Setting[]
  return settings.flatMap(({ name, scope, inFolder }) => {
    const found = folder.get(name as SettingName)
    if (!found) return []
    const isFree = scope === 'project' && (!inFolder || 'value' in inFolder(found.raw, stateFolder))
    return isFree ? [] : [{ name: name as SettingName, value: found.raw }]
  })
}

/** The database named by the environment, if any. */
export function environmentDb(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.REMINDB_DB || undefined
}

/** The folder of spaces and the space in it that the environment names, if any. */
export function environmentSpace(env: NodeJS.ProcessEnv = process.env): {
  spaces: string | undefined
  space: string | undefined
} {
  return { spaces: env.REMINDB_SPACES || undefined, space: env.REMINDB_SPACE || undefined }
}

/** The folder that a server watches, as the environment names it, if any. */
export function environmentSource(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.REMINDB_SOURCE || undefined
}

/** The folders of the user who runs the program. */
export function ownFolders(env: NodeJS.ProcessEnv = process.env): UserFolders {
  return userFolders({ env })
}

/** Whether to colour: as a person asked for, else as the output is. `FORCE_COLOR` wins, as it does in Node. */
export function colorChoice(env: NodeJS.ProcessEnv = process.env): 'always' | 'never' | 'auto' {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '')
    return ['0', 'false'].includes(env.FORCE_COLOR) ? 'never' : 'always'
  return env.NO_COLOR || env.TERM === 'dumb' ? 'never' : 'auto'
}

/** Whether to show the stack of an unexpected error. */
export function isDebugging(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.REMINDB_DEBUG !== undefined && !['', '0'].includes(env.REMINDB_DEBUG)
}

/** The folders in which a shell searches for programs. */
export function programFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  return (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

interface Sources {
  flags: Partial<Record<string, unknown>>
  env: NodeJS.ProcessEnv
  folder: ReadonlyMap<SettingName, FileSetting>
  user: ReadonlyMap<SettingName, FileSetting>
}

function effective(setting: Setting, { flags, env, folder, user }: Sources): Effective {
  const name = setting.name as SettingName
  const flag = flags[name]
  if (flag !== undefined) {
    const label = setting.flag ? `--${setting.flag}` : name
    return { name, value: parseSetting(setting, flag, { label }), origin: 'flag' }
  }
  const fromEnv = env[setting.env]
  if (fromEnv) {
    const value = parseSetting(setting, fromEnv, { label: setting.env })
    return { name, value, origin: 'environment' }
  }
  const [file, origin] = folder.has(name) ? [folder, 'folder' as const] : [user, 'user file' as const]
  const found = file.get(name)
  return found ? { name, value: found.value, origin } : { name, value: setting.default, origin: 'default' }
}
