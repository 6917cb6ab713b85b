import { existsSync } from 'node:fs'
import { chooseToolsets } from '../../mcp/choose-toolsets.ts'
import { configuredTools } from '../../mcp/tools/files/configured.ts'
import { placesOf } from '../../runtime/places/places.ts'
import {
  type Config,
  type Effective,
  type LoadedConfig,
  type Origin,
  toConfig,
  userConfigPath,
} from '../../runtime/settings/config.ts'
import { configPath } from '../../runtime/settings/config-file.ts'
import { refusalOf } from '../../runtime/settings/refused-settings.ts'
import { type Setting, showSetting } from '../../runtime/settings/setting-values.ts'
import { SETTINGS } from '../../runtime/settings/settings.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { alignColumns } from '../../util/terminal/table.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { printable } from '../../util/text/printable.ts'
import { defineCommand } from '../base/command.ts'
import { chooseDatabase, type DatabaseChoice, type DatabaseOrigin, settingsFor } from '../base/databases.ts'

const DB_ORIGINS: Record<DatabaseOrigin, string> = {
  flag: '--db',
  environment: 'REMINDB_DB',
  space: '--spaces and --space',
  found: 'the nearest at or above the current folder',
  none: 'none yet: where `remindb compile .` would make it',
}

export const command = defineCommand({
  parameters: {},
  flags: {
    json: { kind: 'switch', help: 'Print JSON' },
    author: { kind: 'setting', value: 'NAME', setting: 'author' },
    'max-node-tokens': { kind: 'setting', value: 'N', setting: 'compile.max_node_tokens' },
    'max-file-size': { kind: 'setting', value: 'SIZE', setting: 'compile.max_file_size' },
    timeout: { kind: 'setting', value: 'TIME', setting: 'compile.wall_clock_timeout' },
  },
  examples: ['remindb config', 'REMINDB_AUTHOR=ada remindb config --json'],

  async run({ out, palette, ...context }, { flags }) {
    const choice = await chooseDatabase(context)
    const given = {
      author: flags.author,
      'compile.max_node_tokens': flags['max-node-tokens'],
      'compile.max_file_size': flags['max-file-size'],
      'compile.wall_clock_timeout': flags.timeout,
    }
    const loaded = settingsFor(choice, given)
    await checkSettings(toConfig(loaded))
    const { stateFolder } = placesOf(choice.file)
    const file = configPath(stateFolder)
    if (flags.json) await writePieces(out, jsonPieces(toJson(choice, file, loaded)))
    else {
      await writeLines(out, [
        `Database:  ${printable(choice.file)} (${DB_ORIGINS[choice.origin]})`,
        `Folder:    ${fileLine(file)}`,
        `User file: ${fileLine(userConfigPath())}`,
        '',
        ...settingLines(loaded.settings).map((line, at) => (at === 0 ? palette.bold(line) : line)),
        ...refusedLines(loaded, stateFolder),
      ])
    }
    return 0
  },
})

/** Problems that only show in use: patterns that do not compile, tools that cannot be created, addresses that cannot be bound. */
async function checkSettings(config: Config): Promise<void> {
  const { createRedactor, redactionSettings } = await import('../../runtime/settings/redaction.ts')
  await createRedactor(redactionSettings(config))
  if (chooseToolsets(config['server.tools']).includes('files')) configuredTools(config)
  const { checkListenAddress } = await import('../../http/listen-address.ts')
  await checkListenAddress(config['server.listen'])
}

function settingLines(settings: Effective[]): string[] {
  const rows = settings.map(({ name, value, origin }) => {
    const setting = settingOf(name)
    return [name, printable(showSetting(value)), originOf(origin, setting), setting.help]
  })
  return alignColumns([['setting', 'value', 'from', 'description'], ...rows])
}

/** Settings of the folder that have no effect, and how to enable them. */
function refusedLines(loaded: LoadedConfig, stateFolder: string): string[] {
  const refusal = refusalOf(loaded, stateFolder)
  if (!refusal) return []
  const rows = loaded.asked.map(({ name, value }) => [`  ${name}`, printable(JSON.stringify(value))])
  return ['', printable(refusal.message), ...alignColumns(rows)]
}

function fileLine(file: string): string {
  return `${printable(file)}${existsSync(file) ? '' : ' (absent)'}`
}

function originOf(origin: Origin, { env, flag }: Setting): string {
  const names: Record<Origin, string> = {
    flag: `flag --${flag}`,
    environment: `environment ${env}`,
    folder: 'folder',
    'user file': 'user file',
    default: 'default',
  }
  return names[origin]
}

function toJson(choice: DatabaseChoice, file: string, { settings, asked, trust }: LoadedConfig) {
  return {
    db_path: choice.file,
    db_from: choice.origin,
    config_path: file,
    user_config_path: userConfigPath(),
    trusted: trust === 'trusted',
    settings: settings.map(({ name, value, origin }) => {
      const { env, flag, default: standard, help } = settingOf(name)
      return {
        name,
        value,
        from: origin,
        default: standard,
        flag: flag && `--${flag}`,
        environment: env,
        help,
      }
    }),
    refused: trust === 'trusted' ? [] : asked,
  }
}

function settingOf(name: string): Setting {
  return SETTINGS.find((setting) => setting.name === name) as Setting
}
