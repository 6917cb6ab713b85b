import type { Command } from './base/command.ts'

export interface CommandEntry {
  summary: string
  load(): Promise<{ command: Command }>
}

/** A command with commands of its own: `remindb keys create`. With `load` it can also be called by itself. */
export interface CommandGroup {
  summary: string
  commands: Record<string, CommandEntry>
  load?: CommandEntry['load']
}

type Together = typeof import('./command-modules.ts')

/** The small commands are loaded together: a file for each, and one for whatever any two of them share, would take longer. */
function inOne(name: keyof Together): CommandEntry['load'] {
  return async () => ({ command: (await import('./command-modules.ts'))[name] as Command })
}

/** Every command. Its module is loaded when it is called. */
export const COMMANDS: Record<string, CommandEntry | CommandGroup> = {
  compile: {
    summary: 'Bring the memory to what a folder or file says',
    load: inOne('compile'),
  },
  serve: { summary: 'Let an agent use the memory, over MCP', load: () => import('./commands/serve.ts') },
  write: { summary: 'Store a note, or give a node a new text', load: inOne('write') },
  summarize: {
    summary: "Replace a node's text by a shorter one",
    load: inOne('summarize'),
  },
  forget: { summary: 'Remove a node; its history stays', load: inOne('forget') },
  erase: {
    summary: 'Remove a document for good, with every text it ever had',
    load: inOne('erase'),
  },
  pin: { summary: 'Keep a node at its heat', load: inOne('pin') },
  unpin: { summary: 'Let a pinned node cool again', load: inOne('unpin') },
  search: { summary: 'Find nodes by words, best first', load: inOne('search') },
  tree: {
    summary: 'Browse the outline, page by page',
    load: inOne('tree'),
  },
  fetch: {
    summary: 'Read a node with what is around it, or several nodes',
    load: inOne('fetch'),
  },
  inspect: {
    summary: 'Show what is in the memory: numbers, tree, files, links',
    load: inOne('inspect'),
  },
  history: {
    summary: 'List the snapshots, or show what one node has been',
    load: inOne('history'),
  },
  delta: {
    summary: 'List what happened after a snapshot',
    load: inOne('delta'),
  },
  diff: { summary: 'Compare two snapshots', load: inOne('diff') },
  rollback: {
    summary: 'Make the memory say again what it said at a snapshot',
    load: inOne('rollback'),
  },
  related: {
    summary: 'Show what is linked to a node, directly or over others',
    load: inOne('related'),
  },
  relate: { summary: 'Link two nodes', load: inOne('relate') },
  unrelate: {
    summary: 'Take a link made with relate away',
    load: inOne('unrelate'),
  },
  doctor: { summary: 'Check the database, and repair it', load: inOne('doctor') },
  backup: {
    summary: 'Copy the database while it is in use',
    load: inOne('backup'),
    commands: {
      restore: {
        summary: 'Put a backup in the place of the memory, which is kept',
        load: inOne('backupRestore'),
      },
    },
  },
  spaces: {
    summary: 'Manage the memories that a server for a team serves',
    commands: {
      list: { summary: 'List the spaces', load: inOne('spacesList') },
      create: { summary: 'Create a space, empty or from a memory', load: inOne('spacesCreate') },
      rename: { summary: 'Give a space another name', load: inOne('spacesRename') },
      archive: { summary: 'Keep a space without serving it', load: inOne('spacesArchive') },
      unarchive: { summary: 'Let an archived space be used again', load: inOne('spacesUnarchive') },
      delete: { summary: 'Delete a space for good', load: inOne('spacesDelete') },
      stats: { summary: 'Show how large spaces are, and who uses them', load: inOne('spacesStats') },
    },
  },
  export: {
    summary: 'Write everything, with its history, as lines of JSON',
    load: inOne('exportCommand'),
  },
  import: {
    summary: 'Make a memory from an export',
    load: inOne('importCommand'),
  },
  bench: {
    summary: 'Compare the tokens that reading a folder takes, with remindb and without',
    load: inOne('bench'),
  },
  trust: {
    summary: 'Accept settings of a folder that only you may decide',
    load: inOne('trust'),
  },
  untrust: {
    summary: 'Take back what trust accepted',
    load: inOne('untrust'),
  },
  config: {
    summary: 'Show every setting and where its value comes from',
    load: inOne('config'),
  },
}

/** Every command that can be called, by its full name: `keys create`. */
export function listCommands(): Map<string, CommandEntry> {
  return new Map(Object.entries(COMMANDS).flatMap(([name, entry]) => [...callable(name, entry)]))
}

function* callable(name: string, entry: CommandEntry | CommandGroup): Generator<[string, CommandEntry]> {
  const { summary, load } = entry
  if (load) yield [name, { summary, load }]
  if (!('commands' in entry)) return
  for (const [below, command] of Object.entries(entry.commands)) yield [`${name} ${below}`, command]
}
