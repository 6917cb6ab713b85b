import { TOOLSETS } from '../../mcp/model/tool.ts'
import { placesOf } from '../../runtime/places/places.ts'
import type { MemoryChoice } from '../../runtime/serve/memory-server.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { printable } from '../../util/text/printable.ts'
import type { Context } from '../base/command.ts'
import { clientLines, noteLines } from './clients.ts'

export interface Started extends MemoryChoice {
  /** For the rules of a project. */
  note: readonly string[]
}

/** For a person who started it at a terminal: how to let an agent start it instead. */
export function stdioLines({ script, palette }: Context, { db, source, settings, note }: Started): string[] {
  const isOwn = source !== undefined && placesOf(source).db === db
  const args = [
    script,
    'serve',
    ...(isOwn ? [] : ['--db', db]),
    ...(source === undefined ? [] : ['--source', source]),
    ...flagOf('--tools', settings['server.tools']),
    ...flagOf('--schemes', settings['server.schemes']),
    ...flagOf('--answers', settings['server.answers']),
    ...flagOf('--rescan-interval', settings['rescan.interval']),
  ]
  return [
    'remindb serve speaks MCP over stdin and stdout: an agent starts it. Give this to yours:',
    '',
    ...clientLines({ command: process.execPath, args }, palette),
    '',
    ...noteLines(note, palette),
    '',
    'It waits for messages now; Ctrl-D ends it. For a server that you start yourself: --transport http',
  ]
}

/** The flags of this command line are passed on to the server that the agent will start. */
function flagOf(flag: string, value: unknown): string[] {
  return value === undefined ? [] : [flag, String(value)]
}

export interface Listening extends Pick<Started, 'db' | 'source' | 'note'> {
  /** The toolsets that were chosen. */
  tools: readonly string[]
}

/** The address, and which configuration to paste where. */
export function listeningLines(
  url: string,
  { db, source, note, tools }: Listening,
  palette: Palette,
): string[] {
  return [
    `${palette.bold('remindb serves')} ${printable(source ?? db)} at ${palette.bold(url)}`,
    toolsLine(tools),
    '',
    ...clientLines({ url }, palette),
    '',
    ...noteLines(note, palette),
  ]
}

/** Names the other toolsets: people cannot ask for one they have never heard of. */
function toolsLine(chosen: readonly string[]): string {
  const others = chosen.includes('all') ? [] : TOOLSETS.filter((toolset) => !chosen.includes(toolset))
  const offered = `Tools: ${chosen.join(', ')}.`
  return others.length === 0
    ? offered
    : `${offered} There are also ${others.join(', ')}: choose with --tools.`
}
