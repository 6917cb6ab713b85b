import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { MemoryError } from '../../core/errors.ts'
import { environmentSource } from '../../runtime/config.ts'
import { placesOf } from '../../runtime/places.ts'
import { writeLines } from '../../util/terminal-output.ts'
import { type Context, defineCommand } from '../command.ts'
import { chooseDatabase, type DatabaseChoice } from '../databases.ts'
import { clientLines } from '../layout/clients.ts'

/** How long the last records may take to be read. */
const LEAVE_MS = 500

export const command = defineCommand({
  parameters: {},
  flags: {
    source: {
      kind: 'text',
      value: 'FOLDER',
      help: 'Compile this folder at the start, and again whenever files in it change',
    },
    'rescan-interval': { kind: 'setting', value: 'TIME', setting: 'rescan.interval' },
    tools: { kind: 'setting', value: 'NAMES', setting: 'server.tools' },
    verbose: { kind: 'switch', short: 'v', help: 'Log every call' },
  },
  examples: [
    'remindb serve --source notes',
    'remindb serve --db team/memory.db',
    'remindb serve --source docs --rescan-interval 5s --verbose',
  ],

  async run(context, { flags }) {
    const source = sourceFolder(flags.source, context)
    if (source === undefined && flags['rescan-interval'] !== undefined)
      throw new MemoryError('INVALID_INPUT', 'rescan interval requires --source (or REMINDB_SOURCE)')
    const { file } = databaseFor(source, context)
    const settings = {
      'rescan.interval': flags['rescan-interval'],
      'server.tools': flags.tools,
      ...(flags.verbose ? { 'server.logging.level': 'debug' } : {}),
    }
    const { serveMemory } = await import('../../runtime/serve-memory.ts')
    if (process.stdin.isTTY) await writeLines(context.err, terminalLines(context, file, source))
    const code = await serveMemory({
      db: file,
      source,
      settings,
      input: process.stdin,
      output: process.stdout,
    })
    // Answers and records that nobody reads would keep the process.
    setTimeout(() => process.exit(code), LEAVE_MS).unref()
    return code
  },
})

/** Absolute, and there: a folder that is not would look like one whose files are all deleted. */
function sourceFolder(flag: string | undefined, { cwd }: Context): string | undefined {
  const named = flag ?? environmentSource()
  if (named === undefined) return undefined
  const folder = resolve(cwd, named)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found?.isDirectory()) return folder
  throw new MemoryError('NOT_FOUND', `there is no folder ${named}; check --source`)
}

/** What is named is made where it is not there: an agent's first start is no different from the next. */
function databaseFor(source: string | undefined, context: Context): DatabaseChoice {
  const choice = chooseDatabase(context)
  if (choice.origin === 'flag' || choice.origin === 'environment') return choice
  if (source !== undefined) return { file: placesOf(source).db, origin: 'found' }
  if (existsSync(choice.file)) return choice
  throw new MemoryError(
    'NOT_FOUND',
    `there is no memory in ${context.cwd} or above; name a folder with --source, or a database with --db`,
  )
}

/** For a person who started it at a terminal: it is for an agent to start, and this is how. */
function terminalLines({ script, palette }: Context, db: string, source: string | undefined): string[] {
  const args = [script, 'serve', '--db', db, ...(source === undefined ? [] : ['--source', source])]
  return [
    'remindb serve speaks MCP over stdin and stdout: an agent starts it. Give this to yours:',
    '',
    ...clientLines({ command: process.execPath, args }, palette),
    '',
    'It waits for messages now; Ctrl-D ends it.',
  ]
}
