import { isRole, ROLES, type Role } from '../../../core/access/scopes.ts'
import type { MemberEntry } from '../../../core/accounts/members.ts'
import { alignColumns } from '../../../util/terminal/table.ts'
import { defineCommand, UsageError } from '../../base/command.ts'
import { isoTime, shortTime } from '../../layout/times.ts'
import { ACCOUNT_FLAGS, withAccounts } from './with-accounts.ts'

const ROLE_NAMES = Object.keys(ROLES).join(', ')
const NAME = { name: { kind: 'text', help: 'The user' } } as const
const SPACE = { space: { kind: 'text', value: 'NAME', required: true, help: 'The space' } } as const

const add = defineCommand({
  parameters: NAME,
  flags: {
    ...SPACE,
    role: { kind: 'text', value: 'ROLE', required: true, help: `One of ${ROLE_NAMES}` },
    ...ACCOUNT_FLAGS,
  },
  examples: ['remindb members add ada --space research --role writer'],
  run: (context, { parameters: { name: user }, flags: { space: named, role: asked, ...flags } }) => {
    const space = givenSpace(named)
    const role = roleOf(asked)
    return withAccounts(context, flags, async ({ members }) => {
      const member = await members.add({ user, space, role })
      return { json: { space, ...toJson(member) }, lines: [`${user} is ${role} of the space ${space}`] }
    })
  },
})

const list = defineCommand({
  parameters: {},
  flags: { ...SPACE, ...ACCOUNT_FLAGS },
  examples: ['remindb members list --space research'],
  run: (context, { flags: { space: named, ...flags } }) => {
    const space = givenSpace(named)
    return withAccounts(context, flags, async ({ members }) => {
      const all = await members.list({ space })
      return { json: all.map(toJson), lines: tableOf(space, all) }
    })
  },
})

const remove = defineCommand({
  parameters: NAME,
  flags: { ...SPACE, ...ACCOUNT_FLAGS },
  examples: ['remindb members remove ada --space research'],
  run: (context, { parameters: { name: user }, flags: { space: named, ...flags } }) => {
    const space = givenSpace(named)
    return withAccounts(context, flags, async ({ members }) => {
      await members.remove({ user, space })
      const line = `${user} is no longer a member of the space ${space}; their keys for it are revoked`
      return { json: { user, space, removed: true }, lines: [line] }
    })
  },
})

export const members = { add, list, remove }

function givenSpace(space: string | undefined): string {
  if (space === undefined) throw new UsageError('missing --space NAME')
  return space
}

function roleOf(role: string | undefined): Role {
  if (role !== undefined && isRole(role)) return role
  throw new UsageError(
    `--role must be one of ${ROLE_NAMES}${role === undefined ? '' : `, got ${JSON.stringify(role)}`}`,
  )
}

function toJson({ user, role, addedAt }: MemberEntry) {
  return { user, role, added_at: isoTime(addedAt) }
}

function tableOf(space: string, all: readonly MemberEntry[]): string[] {
  if (all.length === 0) return [`the space ${space} has no members yet`]
  const rows = all.map(({ user, role, addedAt }) => [user, role, shortTime(addedAt)])
  return alignColumns([['name', 'role', 'added'], ...rows])
}
