import type { Command } from './base/command.ts'

export interface CommandEntry {
  summary: string
  load(): Promise<{ command: Command }>
}

/** A command with subcommands: `remindb keys create`. With `load` it can also be called alone. */
export interface CommandGroup {
  summary: string
  commands: Record<string, CommandEntry>
  load?: CommandEntry['load']
}

type Together = typeof import('./command-modules.ts')

/** Small commands are loaded together: separate files, and one for each shared part, would take longer. */
function inOne(name: keyof Together): CommandEntry['load'] {
  return async () => ({ command: (await import('./command-modules.ts'))[name] as Command })
}

type OfAccounts = typeof import('./account-modules.ts')

/** Loaded only for accounts. */
function ofAccounts<G extends keyof OfAccounts>(group: G, name: keyof OfAccounts[G]): CommandEntry['load'] {
  return async () => ({ command: (await import('./account-modules.ts'))[group][name] as Command })
}

/** Every command. Its module is loaded when it is called. */
export const COMMANDS: Record<string, CommandEntry | CommandGroup> = {
  compile: {
    summary: 'Update the memory from a folder or file',
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
    summary: 'Remove a document permanently, with every text it ever had',
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
    summary: 'Read a node with its context, or several nodes',
    load: inOne('fetch'),
  },
  inspect: {
    summary: 'Show the content of the memory: numbers, tree, files, links',
    load: inOne('inspect'),
  },
  log: { summary: 'List who changed what and when, snapshot by snapshot', load: inOne('log') },
  blame: { summary: 'Show who last changed each block of a document', load: inOne('blame') },
  history: {
    summary: 'List the snapshots, or show the versions of one node',
    load: inOne('history'),
    commands: {
      prune: {
        summary: 'Fold older snapshots into the last one of their day',
        load: inOne('historyPrune'),
      },
    },
  },
  checkpoint: {
    summary: 'Name a snapshot, or list the names',
    load: inOne('checkpoint'),
  },
  delta: {
    summary: 'List the changes after a snapshot',
    load: inOne('delta'),
  },
  diff: { summary: 'Compare two snapshots', load: inOne('diff') },
  restore: {
    summary: 'Bring one node or document back to what it was',
    load: inOne('restore'),
  },
  revert: {
    summary: 'Undo snapshots without touching later work',
    load: inOne('revert'),
  },
  rollback: {
    summary: 'Restore the content of the memory at a snapshot',
    load: inOne('rollback'),
  },
  related: {
    summary: 'Show the nodes linked to a node, directly or indirectly',
    load: inOne('related'),
  },
  relate: { summary: 'Link two nodes', load: inOne('relate') },
  unrelate: {
    summary: 'Remove a link made with relate',
    load: inOne('unrelate'),
  },
  check: {
    summary: 'Ask questions whose answers are known, and report what is missing',
    load: inOne('check'),
  },
  bisect: { summary: 'Find the snapshot at which an answer was lost', load: inOne('bisect') },
  doctor: { summary: 'Check the database, and repair it', load: inOne('doctor') },
  backup: {
    summary: 'Copy the database while it is in use',
    load: inOne('backup'),
    commands: {
      restore: {
        summary: 'Replace the memory by a backup; the previous one is kept',
        load: inOne('backupRestore'),
      },
    },
  },
  export: {
    summary: 'Write everything, with its history, as lines of JSON',
    load: inOne('exportCommand'),
  },
  import: {
    summary: 'Create a memory from an export',
    load: inOne('importCommand'),
  },
  bench: {
    summary: 'Compare the tokens that reading a folder takes, with remindb and without',
    load: inOne('bench'),
  },
  trust: {
    summary: 'Accept settings of a folder that need your consent',
    load: inOne('trust'),
  },
  untrust: {
    summary: 'Revoke the trust in a folder',
    load: inOne('untrust'),
  },
  spaces: {
    summary: 'Manage the spaces of a server',
    commands: {
      create: { summary: 'Create a space, empty or from a memory', load: ofAccounts('spaces', 'create') },
      list: { summary: 'List the spaces', load: ofAccounts('spaces', 'list') },
      rename: { summary: 'Rename a space', load: ofAccounts('spaces', 'rename') },
      archive: { summary: 'Keep a space without serving it', load: ofAccounts('spaces', 'archive') },
      unarchive: { summary: 'Restore an archived space', load: ofAccounts('spaces', 'unarchive') },
      delete: { summary: 'Delete a space permanently', load: ofAccounts('spaces', 'delete') },
      stats: { summary: 'Show the size and usage of spaces', load: ofAccounts('spaces', 'stats') },
    },
  },
  users: {
    summary: 'Manage the users of a server',
    commands: {
      create: { summary: 'Add a user', load: ofAccounts('users', 'create') },
      list: { summary: 'List the users', load: ofAccounts('users', 'list') },
      reset: { summary: 'Give a user a new password', load: ofAccounts('users', 'reset') },
      disable: {
        summary: 'Disable a user: no key, client or login of theirs works',
        load: ofAccounts('users', 'disable'),
      },
      enable: { summary: 'Enable a user again', load: ofAccounts('users', 'enable') },
      limits: { summary: 'Show or set what a user may store', load: ofAccounts('users', 'limits') },
      delete: { summary: 'Remove a user with their keys and clients', load: ofAccounts('users', 'delete') },
    },
  },
  keys: {
    summary: 'Manage the API keys of a server',
    commands: {
      create: { summary: 'Create a key for a user and a space', load: ofAccounts('keys', 'create') },
      list: { summary: 'List the keys, without their secrets', load: ofAccounts('keys', 'list') },
      revoke: { summary: 'Revoke a key and the keys created with it', load: ofAccounts('keys', 'revoke') },
      rotate: { summary: 'Replace the secret of a key', load: ofAccounts('keys', 'rotate') },
    },
  },
  clients: {
    summary: 'Manage the clients that users let in',
    commands: {
      list: { summary: 'List the clients, and what they may do', load: ofAccounts('clients', 'list') },
      revoke: { summary: 'End the access of a client', load: ofAccounts('clients', 'revoke') },
    },
  },
  auth: {
    summary: 'Set up a server with accounts',
    commands: {
      init: { summary: 'Create the first administrator', load: ofAccounts('auth', 'init') },
      'rotate-keys': {
        summary: 'Replace the keys that the server signs with',
        load: ofAccounts('auth', 'rotate-keys'),
      },
    },
  },
  members: {
    summary: 'Manage the members of spaces',
    commands: {
      add: { summary: 'Give a user a role in a space', load: ofAccounts('members', 'add') },
      list: { summary: 'List the members of a space', load: ofAccounts('members', 'list') },
      remove: {
        summary: 'Remove a user from a space and revoke their keys and clients for it',
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
