import { placesOf } from '../../runtime/places.ts'
import type { MemoryChoice } from '../../runtime/server-parts.ts'
import type { Palette } from '../../util/terminal-color.ts'
import { printable } from '../../util/terminal-text.ts'
import type { Context } from '../command.ts'
import { clientLines } from './clients.ts'

/** For a person who started it at a terminal: it is for an agent to start, and this is how. */
export function stdioLines({ script, palette }: Context, { db, source }: MemoryChoice): string[] {
  const isOwn = source !== undefined && placesOf(source).db === db
  const args = [
    script,
    'serve',
    ...(isOwn ? [] : ['--db', db]),
    ...(source === undefined ? [] : ['--source', source]),
  ]
  return [
    'remindb serve speaks MCP over stdin and stdout: an agent starts it. Give this to yours:',
    '',
    ...clientLines({ command: process.execPath, args }, palette),
    '',
    'It waits for messages now; Ctrl-D ends it. For a server that you start yourself: --transport http',
  ]
}

/** Where it can be reached, and what to paste where. */
export function listeningLines(url: string, { db, source }: MemoryChoice, palette: Palette): string[] {
  return [
    `${palette.bold('remindb serves')} ${printable(source ?? db)} at ${palette.bold(url)}`,
    '',
    ...clientLines({ url }, palette),
  ]
}
