import type { Palette } from '../../util/terminal/color.ts'
import { printable } from '../../util/text/printable.ts'
import { shellWord } from '../../util/text/shell-word.ts'

/** How a client reaches a server: it starts one, or it knows its address. */
export type Reach = { command: string; args: readonly string[] } | UrlReach

export interface UrlReach {
  url: string
  /** The name of the environment variable with the API key, if the server needs one. */
  keyVariable?: string
}

/** Configurations to paste for the common agents. */
export function clientLines(reach: Reach, palette: Palette): string[] {
  return CLIENTS.flatMap(({ name, where, text }) => [
    `${palette.bold(name)}${palette.dim(where === '' ? '' : `, in ${where}`)}:`,
    ...text(reach)
      .split('\n')
      .map((line) => `  ${printable(line)}`),
    '',
  ]).slice(0, -1)
}

/** Path of the note for a project. */
export const NOTE_FILES = 'AGENTS.md or CLAUDE.md of your project'

/** The note to add to a project, so that its agents use the memory. */
export function noteLines(note: readonly string[], palette: Palette): string[] {
  return [
    `${palette.bold('Every agent')}${palette.dim(`, in ${NOTE_FILES}`)}:`,
    ...note.map((line) => `  ${line}`),
  ]
}

/** The same as `clientLines`, one by one, for a page. */
export function clientTexts(reach: Reach): { name: string; where: string; text: string }[] {
  return CLIENTS.map(({ name, where, text }) => ({ name, where, text: text(reach) }))
}

interface Client {
  name: string
  /** The file; empty for a command. */
  where: string
  text: (reach: Reach) => string
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const isUrl = (reach: Reach): reach is UrlReach => 'url' in reach
const started = ({ command, args }: { command: string; args: readonly string[] }) => ({ command, args })

const CLIENTS: readonly Client[] = [
  {
    name: 'Claude Code',
    where: '',
    text: (reach) =>
      isUrl(reach)
        ? `claude mcp add --transport http remindb ${reach.url}${claudeHeader(reach)}`
        : `claude mcp add remindb -- ${[reach.command, ...reach.args].map(shellWord).join(' ')}`,
  },
  {
    name: 'Cursor',
    where: '.cursor/mcp.json',
    text: (reach) =>
      json({
        mcpServers: {
          remindb: isUrl(reach) ? { url: reach.url, ...headersOf(reach, 'env:') } : started(reach),
        },
      }),
  },
  {
    name: 'Codex',
    where: '~/.codex/config.toml',
    text: (reach) =>
      ['[mcp_servers.remindb]', ...(isUrl(reach) ? codexUrlLines(reach) : tomlLines(reach))].join('\n'),
  },
  {
    name: 'Gemini CLI',
    where: '.gemini/settings.json',
    text: (reach) =>
      json({
        mcpServers: { remindb: isUrl(reach) ? { httpUrl: reach.url, ...headersOf(reach) } : started(reach) },
      }),
  },
  {
    name: 'VS Code',
    where: '.vscode/mcp.json',
    text: (reach) =>
      json({
        servers: {
          remindb: isUrl(reach)
            ? { type: 'http', url: reach.url, ...headersOf(reach, 'env:') }
            : { type: 'stdio', ...started(reach) },
        },
      }),
  },
]

function claudeHeader({ keyVariable }: UrlReach): string {
  return keyVariable === undefined ? '' : ` --header "Authorization: Bearer $${keyVariable}"`
}

/** Each client reads variables of the environment in its own way. */
function headersOf({ keyVariable }: UrlReach, prefix = ''): { headers?: Record<string, string> } {
  return keyVariable === undefined ? {} : { headers: { Authorization: `Bearer \${${prefix}${keyVariable}}` } }
}

function codexUrlLines({ url, keyVariable }: UrlReach): string[] {
  return [
    `url = ${json(url)}`,
    ...(keyVariable === undefined ? [] : [`bearer_token_env_var = ${json(keyVariable)}`]),
  ]
}

/** TOML and JSON write such strings and lists alike. */
function tomlLines({ command, args }: { command: string; args: readonly string[] }): string[] {
  return [`command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`]
}
