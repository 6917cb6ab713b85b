import { resolve } from 'node:path'
import type { Space } from '../../../core/accounts/model.ts'
import { MemoryError } from '../../../core/errors.ts'
import { namedDatabaseFile } from '../../../runtime/places/places.ts'
import type { SpaceStats } from '../../../runtime/spaces/space-stats.ts'
import { alignColumns } from '../../../util/terminal/table.ts'
import { printable } from '../../../util/text/printable.ts'
import { formatSize, plural } from '../../../util/text/units.ts'
import { defineCommand } from '../../base/command.ts'
import { isoTime, shortTime } from '../../layout/times.ts'
import { ACCOUNT_FLAGS, type Answer, withSpaces } from './with-accounts.ts'

const NAME = { name: { kind: 'text', help: 'The space' } } as const

const create = defineCommand({
  parameters: { name: { kind: 'text', help: 'Lower-case letters, digits and dashes, at most 63' } },
  flags: {
    from: {
      kind: 'text',
      value: 'PATH',
      help: 'Start with a copy of this memory: its database file, or the folder that has it in its .remindb. Default: empty',
    },
    ...ACCOUNT_FLAGS,
  },
  examples: [
    'remindb spaces create ops --spaces /srv/remindb',
    'remindb spaces create notes --from ~/notes --spaces /srv/remindb',
  ],
  run: (context, { parameters: { name }, flags: { from, ...flags } }) => {
    const copied = from === undefined ? undefined : namedDatabaseFile(resolve(context.cwd, from))
    const origin = from === undefined ? '' : ` from ${printable(from)}`
    return withSpaces(
      context,
      flags,
      async (spaces) =>
        changed(await spaces.create({ name, from: copied }), `created: space ${name}${origin}`),
      { create: true },
    )
  },
})

const list = defineCommand({
  parameters: {},
  flags: ACCOUNT_FLAGS,
  examples: ['remindb spaces list', 'remindb spaces list --json'],
  run: (context, { flags }) =>
    withSpaces(context, flags, async (spaces) => {
      const all = await spaces.list()
      return { json: all.map(toJson), lines: tableOf(all) }
    }),
})

const rename = defineCommand({
  parameters: { ...NAME, 'new-name': { kind: 'text', help: 'Its new name' } },
  flags: ACCOUNT_FLAGS,
  examples: ['remindb spaces rename ops platform'],
  run: (context, { parameters: { name, 'new-name': to }, flags }) =>
    withSpaces(context, flags, async (spaces) =>
      changed(await spaces.rename(name, to), `renamed: space ${name} is now ${to}`),
    ),
})

const archive = defineCommand({
  parameters: NAME,
  flags: ACCOUNT_FLAGS,
  examples: ['remindb spaces archive ops'],
  run: (context, { parameters: { name }, flags }) =>
    withSpaces(context, flags, async (spaces) =>
      changed(
        await spaces.archive(name),
        `archived: space ${name}; it is kept, but cannot be used until \`remindb spaces unarchive ${name}\``,
      ),
    ),
})

const unarchive = defineCommand({
  parameters: NAME,
  flags: ACCOUNT_FLAGS,
  examples: ['remindb spaces unarchive ops'],
  run: (context, { parameters: { name }, flags }) =>
    withSpaces(context, flags, async (spaces) =>
      changed(await spaces.unarchive(name), `unarchived: space ${name}`),
    ),
})

const remove = defineCommand({
  parameters: NAME,
  flags: { yes: { kind: 'switch', help: 'Confirm; this cannot be undone' }, ...ACCOUNT_FLAGS },
  examples: ['remindb spaces delete ops --yes'],
  run: (context, { parameters: { name }, flags: { yes, ...flags } }) =>
    withSpaces(context, flags, async (spaces) => {
      if (!yes) throw notConfirmed(await spaces.stats(name))
      return changed(await spaces.delete(name), `deleted: space ${name}`)
    }),
})

const stats = defineCommand({
  parameters: { name: { kind: 'text', optional: true, help: 'The space. Default: every space' } },
  flags: ACCOUNT_FLAGS,
  examples: ['remindb spaces stats', 'remindb spaces stats ops --json'],
  run: (context, { parameters: { name }, flags }) =>
    withSpaces(context, flags, async (spaces) => {
      const names = name === undefined ? (await spaces.list()).map((space) => space.name) : [name]
      const all: SpaceStats[] = []
      for (const one of names) all.push(await spaces.stats(one))
      return { json: all.map(statsJson), lines: statsTable(all) }
    }),
})

export const spaces = { create, list, rename, archive, unarchive, delete: remove, stats }

function changed(space: Space, line: string): Answer {
  return { json: toJson(space), lines: [line] }
}

function notConfirmed({ space, members, keys }: SpaceStats): MemoryError {
  const others = `${plural(members, 'member')} and ${plural(keys, 'key')}`
  return new MemoryError(
    'INVALID_INPUT',
    `nothing was changed; deleting "${space.name}" also deletes its memory, ${others}: add --yes, or archive it instead`,
  )
}

function toJson({ id, name, createdAt, archivedAt }: Space) {
  return { id, name, created_at: isoTime(createdAt), archived_at: isoTime(archivedAt) }
}

function statsJson({ space, nodes, bytes, changedAt, members, keys }: SpaceStats) {
  return { ...toJson(space), nodes, bytes, changed_at: isoTime(changedAt), members, keys }
}

function tableOf(all: readonly Space[]): string[] {
  if (all.length === 0) return ['there are no spaces yet; create one with `remindb spaces create NAME`']
  const rows = all.map((space) => [space.name, stateOf(space), shortTime(space.createdAt), space.id])
  return alignColumns([['name', 'state', 'created', 'id'], ...rows])
}

function statsTable(all: readonly SpaceStats[]): string[] {
  if (all.length === 0) return tableOf([])
  const rows = all.map(({ space, nodes, bytes, changedAt, members, keys }) => [
    ...[space.name, stateOf(space), String(nodes), formatSize(bytes)],
    ...[shortTime(changedAt), String(members), String(keys)],
  ])
  return alignColumns([['name', 'state', 'nodes', 'size', 'changed', 'members', 'keys'], ...rows])
}

function stateOf({ archivedAt }: Space): string {
  return archivedAt === null ? 'active' : `archived ${shortTime(archivedAt)}`
}
