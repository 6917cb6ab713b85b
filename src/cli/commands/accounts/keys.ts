import { SCOPES } from '../../../core/access/scopes.ts'
import type { Accounts } from '../../../core/accounts/accounts.ts'
import type { CreatedKey, KeyEntry } from '../../../core/accounts/keys.ts'
import { alignColumns } from '../../../util/terminal/table.ts'
import { printable } from '../../../util/text/printable.ts'
import { plural } from '../../../util/text/units.ts'
import { defineCommand } from '../../base/command.ts'
import { isoTime, shortTime } from '../../layout/times.ts'
import { readKeyFlags } from './key-flags.ts'
import { lifetimeOf } from './times.ts'
import { ACCOUNT_FLAGS, type Answer, withAccounts } from './with-accounts.ts'

const ID = { id: { kind: 'text', help: 'The id of the key; keys list shows it' } } as const

const create = defineCommand({
  parameters: {},
  flags: {
    user: { kind: 'text', value: 'NAME', help: 'Required without --parent: the owner of the key' },
    space: {
      kind: 'text',
      value: 'NAME',
      help: 'Required without --parent: the space that it is for; the user becomes a member with the smallest role that fits',
    },
    scope: {
      kind: 'text',
      value: 'SCOPES',
      required: true,
      help: `Its scopes, separated by commas: ${SCOPES.join(', ')}`,
    },
    expires: {
      kind: 'text',
      value: 'TIME',
      help: 'When it expires, such as 30d or 24h; at most 100 years. Default: never',
    },
    label: { kind: 'text', value: 'TEXT', help: 'Which agent or machine uses it' },
    parent: {
      kind: 'text',
      value: 'ID',
      help: 'Instead of --user and --space: a key of the same user and space that expires with this one',
    },
    ...ACCOUNT_FLAGS,
  },
  examples: [
    'remindb keys create --user ada --space research --scope memories:read,memories:write',
    'remindb keys create --user ada --space research --scope memories:read --expires 30d --label laptop',
    'remindb keys create --parent 3fK9aZ0q --scope memories:read --expires 1h',
  ],
  run: (context, { flags: { spaces, json, ...given } }) => {
    const asked = readKeyFlags(given, Date.now())
    return withAccounts(context, { spaces, json }, async ({ keys }) => {
      const made =
        'parent' in asked ? await keys.createChild(asked.parent, asked.grant) : await keys.create(asked)
      return shownOnce(keys, made, 'created')
    })
  },
})

const list = defineCommand({
  parameters: {},
  flags: {
    user: { kind: 'text', value: 'NAME', help: 'Only of this user' },
    space: { kind: 'text', value: 'NAME', help: 'Only for this space' },
    ...ACCOUNT_FLAGS,
  },
  examples: ['remindb keys list', 'remindb keys list --space research --json'],
  run: (context, { flags: { user, space, ...flags } }) =>
    withAccounts(context, flags, async ({ keys }) => {
      const of = { ...(user === undefined ? {} : { user }), ...(space === undefined ? {} : { space }) }
      const all = await keys.list(of)
      return { json: all.map(toJson), lines: tableOf(all, Date.now()) }
    }),
})

const revoke = defineCommand({
  parameters: ID,
  flags: ACCOUNT_FLAGS,
  examples: ['remindb keys revoke 3fK9aZ0q'],
  run: (context, { parameters: { id }, flags }) =>
    withAccounts(context, flags, async ({ keys }) => {
      const revoked = await keys.revoke(id)
      const others = revoked.filter((one) => one !== id)
      const below = others.length === 0 ? '' : `, and ${plural(others.length, 'key')} made with it`
      const line = revoked.includes(id) ? `revoked: ${id}${below}` : `${id} was revoked before${below}`
      return { json: { id, revoked }, lines: [line] }
    }),
})

const rotate = defineCommand({
  parameters: ID,
  flags: {
    grace: {
      kind: 'text',
      value: 'TIME',
      help: 'How long the old secret still works, such as 24h; at most 365d. Default: not at all',
    },
    ...ACCOUNT_FLAGS,
  },
  examples: ['remindb keys rotate 3fK9aZ0q', 'remindb keys rotate 3fK9aZ0q --grace 24h'],
  run: (context, { parameters: { id }, flags: { grace, ...flags } }) => {
    const graceMs = grace === undefined ? 0 : lifetimeOf('--grace', grace)
    return withAccounts(context, flags, async ({ keys }) =>
      shownOnce(keys, await keys.rotate(id, { graceMs }), 'rotated'),
    )
  },
})

export const keys = { create, list, revoke, rotate }

async function shownOnce(keys: Accounts['keys'], { id, key }: CreatedKey, what: string): Promise<Answer> {
  const entry = (await keys.list()).find((one) => one.id === id)
  const json = { id, key }
  if (!entry) return { json, lines: [key] }
  const { user, space, scopes, expiresAt } = entry
  const end = expiresAt === null ? 'never expires' : `expires ${shortTime(expiresAt)} UTC`
  const lines = [
    `${what}: key ${id} of ${user} for the space ${space} (${scopes.join(', ')}; ${end})`,
    '',
    key,
    '',
    'It is shown only now. An agent sends it in the header `Authorization: Bearer …`, to the address of the space, which',
    `ends with /s/${space}/mcp. \`remindb serve\` prints what to paste for each agent program.`,
  ]
  return { json, lines }
}

function toJson(key: KeyEntry) {
  const { id, user, space, scopes, label, parentId, createdAt, expiresAt, lastUsedAt, revokedAt } = key
  return {
    id,
    user,
    space,
    scopes,
    label,
    parent: parentId,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
    last_used_at: isoTime(lastUsedAt),
    revoked_at: isoTime(revokedAt),
  }
}

function tableOf(all: readonly KeyEntry[], now: number): string[] {
  if (all.length === 0) return ['there are no keys; create one with `remindb keys create`']
  const rows = all.map((key) => [
    key.id,
    key.user,
    key.space,
    key.scopes.join(','),
    endOf(key, now),
    shortTime(key.lastUsedAt),
    key.parentId ?? '',
    printable(key.label),
  ])
  return alignColumns([
    ['id', 'user', 'space', 'scopes', 'expires', 'last used', 'made with', 'label'],
    ...rows,
  ])
}

function endOf({ revokedAt, expiresAt }: KeyEntry, now: number): string {
  if (revokedAt !== null) return `revoked ${shortTime(revokedAt)}`
  const time = shortTime(expiresAt)
  return expiresAt !== null && expiresAt <= now ? `expired ${time}` : time
}
