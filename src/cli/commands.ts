import type { Command } from './command.ts'

export interface CommandEntry {
  summary: string
  load(): Promise<{ command: Command }>
}

/** Every command. The module of a command is loaded when it is called. */
export const COMMANDS: Record<string, CommandEntry> = {
  compile: {
    summary: 'Bring the memory to what a folder or file says',
    load: () => import('./commands/compile.ts'),
  },
  serve: { summary: 'Let an agent use the memory, over MCP', load: () => import('./commands/serve.ts') },
  write: { summary: 'Store a note, or give a node a new text', load: () => import('./commands/write.ts') },
  summarize: {
    summary: "Replace a node's text by a shorter one",
    load: () => import('./commands/summarize.ts'),
  },
  forget: { summary: 'Remove a node; its history stays', load: () => import('./commands/forget.ts') },
  pin: { summary: 'Keep a node at its heat', load: () => import('./commands/pin.ts') },
  unpin: { summary: 'Let a pinned node cool again', load: () => import('./commands/unpin.ts') },
  search: { summary: 'Find nodes by words, best first', load: () => import('./commands/search.ts') },
  tree: {
    summary: 'Browse the outline, page by page',
    load: () => import('./commands/tree.ts'),
  },
  fetch: {
    summary: 'Read a node with what is around it, or several nodes',
    load: () => import('./commands/fetch.ts'),
  },
  inspect: {
    summary: 'Show what is in the memory: numbers, tree, files, links',
    load: () => import('./commands/inspect.ts'),
  },
  history: {
    summary: 'List the snapshots, or show what one node has been',
    load: () => import('./commands/history.ts'),
  },
  delta: {
    summary: 'List what happened after a snapshot',
    load: () => import('./commands/delta.ts'),
  },
  diff: { summary: 'Compare two snapshots', load: () => import('./commands/diff.ts') },
  rollback: {
    summary: 'Make the memory say again what it said at a snapshot',
    load: () => import('./commands/rollback.ts'),
  },
  related: {
    summary: 'Show what is linked to a node, directly or over others',
    load: () => import('./commands/related.ts'),
  },
  relate: { summary: 'Link two nodes', load: () => import('./commands/relate.ts') },
  unrelate: {
    summary: 'Take a link made with relate away',
    load: () => import('./commands/unrelate.ts'),
  },
  doctor: { summary: 'Check the database, and repair it', load: () => import('./commands/doctor.ts') },
  backup: {
    summary: 'Copy the database while it is in use',
    load: () => import('./commands/backup.ts'),
  },
  export: {
    summary: 'Write everything, with its history, as lines of JSON',
    load: () => import('./commands/export.ts'),
  },
  import: {
    summary: 'Make a memory from an export',
    load: () => import('./commands/import.ts'),
  },
  bench: {
    summary: 'Compare the tokens that reading a folder takes, with remindb and without',
    load: () => import('./commands/bench.ts'),
  },
  config: {
    summary: 'Show every setting and where its value comes from',
    load: () => import('./commands/config.ts'),
  },
}
