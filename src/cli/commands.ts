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

type OfAccounts = typeof import('./account-modules.ts')

/** Those of accounts are needed where there are any. */
function ofAccounts<G extends keyof OfAccounts>(group: G, name: keyof OfAccounts[G]): CommandEntry['load'] {
  return async () => ({ command: (await import('./account-modules.ts'))[group][name] as Command })
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
  spaces: {
    summary: 'Manage the memories that a server serves to many',
    commands: {
      create: { summary: 'Create a space, empty or from a memory', load: ofAccounts('spaces', 'create') },
      list: { summary: 'List the spaces', load: ofAccounts('spaces', 'list') },
      rename: { summary: 'Give a space another name', load: ofAccounts('spaces', 'rename') },
      archive: { summary: 'Keep a space without serving it', load: ofAccounts('spaces', 'archive') },
      unarchive: { summary: 'Let an archived space be used again', load: ofAccounts('spaces', 'unarchive') },
      delete: { summary: 'Delete a space for good', load: ofAccounts('spaces', 'delete') },
      stats: { summary: 'Show how large spaces are, and who uses them', load: ofAccounts('spaces', 'stats') },
    },
  },
  users: {
    summary: 'Manage who uses the spaces of a server',
    commands: {
      create: { summary: 'Add a user', load: ofAccounts('users', 'create') },
      list: { summary: 'List the users', load: ofAccounts('users', 'list') },
      disable: { summary: 'Let no key of a user work for now', load: ofAccounts('users', 'disable') },
      enable: { summary: 'Let the keys of a user work again', load: ofAccounts('users', 'enable') },
      delete: { summary: 'Remove a user with their keys', load: ofAccounts('users', 'delete') },
    },
  },
  keys: {
    summary: 'Manage the API keys of a server',
    commands: {
      create: { summary: 'Make a key for a user and a space', load: ofAccounts('keys', 'create') },
      list: { summary: 'List the keys, without their secrets', load: ofAccounts('keys', 'list') },
      revoke: { summary: 'End a key and those made with it', load: ofAccounts('keys', 'revoke') },
      rotate: { summary: 'Give a key another secret', load: ofAccounts('keys', 'rotate') },
    },
  },
  members: {
    summary: 'Manage who belongs to which space',
    commands: {
      add: { summary: 'Give a user a role in a space', load: ofAccounts('members', 'add') },
      list: { summary: 'List the members of a space', load: ofAccounts('members', 'list') },
      remove: {
        summary: 'Take a user out of a space and revoke their keys for it',
        load: ofAccounts('members', 'remove'),
      },
    },
  },
  audit: {
    summary: 'Show and check who did what in a space',
    commands: {
      list: { summary: 'List the newest entries of the audit', load: ofAccounts('audit', 'list') },
      verify: { summary: 'Check that no entry was changed or removed', load: ofAccounts('audit', 'verify') },
      export: { summary: 'Write the audit as lines of JSON', load: ofAccounts('audit', 'export') },
    },
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
