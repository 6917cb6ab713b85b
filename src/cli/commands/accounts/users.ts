import type { Limit } from '../../../core/access/limits.ts'
import type { User } from '../../../core/accounts/model.ts'
import { MemoryError } from '../../../core/errors.ts'
import { alignColumns } from '../../../util/terminal/table.ts'
import { parseSize } from '../../../util/text/size.ts'
import { defineCommand, UsageError } from '../../base/command.ts'
import { shortTime } from '../../layout/times.ts'
import { givenPassword, PASSWORD_FLAG } from './password.ts'
import { changed, userJson } from './user-answer.ts'
import { ACCOUNT_FLAGS, type Answer, endSetup, withAccounts } from './with-accounts.ts'

const NAME = {
  name: { kind: 'text', help: 'The user: lower-case letters, digits, dots, underscores and dashes' },
} as const

const create = defineCommand({
  parameters: NAME,
  flags: {
    admin: {
      kind: 'switch',
      help: 'Marks an administrator of the server: the setup link of a new server stops working',
    },
    ...PASSWORD_FLAG,
    ...ACCOUNT_FLAGS,
  },
  examples: [
    'remindb users create ada --spaces /srv/remindb',
    'remindb users create ada --password-stdin < password.txt',
    'remindb users create root --admin',
  ],
  run: async (context, { parameters: { name }, flags: { admin, ...flags } }) => {
    const password = await givenPassword(context, flags)
    return withAccounts(
      context,
      flags,
      async ({ users }, dir) => {
        const user = await users.create({ name, isAdmin: admin, ...(password !== undefined && { password }) })
        if (admin) await endSetup(dir)
        return changed('created', user)
      },
      { create: true },
    )
  },
})

const reset = defineCommand({
  parameters: NAME,
  flags: { ...PASSWORD_FLAG, ...ACCOUNT_FLAGS },
  examples: ['remindb users reset ada', 'remindb users reset ada --password-stdin < password.txt'],
  run: async (context, { parameters: { name }, flags }) => {
    const given = await givenPassword(context, flags)
    return withAccounts(context, flags, async ({ passwords }) => {
      const password = given ?? passwords.generate()
      const user = await passwords.set(name, password)
      const answer = changed('new password', user, given === undefined ? password : undefined)
      if (user.disabledAt === null) return answer
      const note = `${name} is still disabled and cannot sign in; enable the user with \`remindb users enable ${name}\``
      return { ...answer, lines: [...answer.lines, note] }
    })
  },
})

const list = defineCommand({
  parameters: {},
  flags: ACCOUNT_FLAGS,
  examples: ['remindb users list', 'remindb users list --json'],
  run: (context, { flags }) =>
    withAccounts(context, flags, async ({ users }) => {
      const all = await users.list()
      return { json: all.map(userJson), lines: tableOf(all) }
    }),
})

const disable = defineCommand({
  parameters: NAME,
  flags: ACCOUNT_FLAGS,
  examples: ['remindb users disable ada'],
  run: (context, { parameters: { name }, flags }) =>
    withAccounts(context, flags, async ({ users }) => changed('disabled', await users.disable(name))),
})

const enable = defineCommand({
  parameters: NAME,
  flags: ACCOUNT_FLAGS,
  examples: ['remindb users enable ada'],
  run: (context, { parameters: { name }, flags }) =>
    withAccounts(context, flags, async ({ users }) => changed('enabled', await users.enable(name))),
})

const LIMIT = 'a number, `none` for no limit, or `default` for that of the settings'

const limits = defineCommand({
  parameters: NAME,
  flags: {
    memories: { kind: 'text', value: 'N', help: `Memories in each space: ${LIMIT}` },
    bytes: { kind: 'text', value: 'N', help: `Bytes of their texts, such as 1GiB: ${LIMIT}` },
    ...ACCOUNT_FLAGS,
  },
  examples: ['remindb users limits ada', 'remindb users limits ada --memories 5000 --bytes none'],
  run: (context, { parameters: { name }, flags: { memories, bytes, ...flags } }) =>
    withAccounts(context, flags, async ({ users }) => {
      const changes = {
        ...(memories !== undefined && { memories: limitOf('memories', memories) }),
        ...(bytes !== undefined && { bytes: limitOf('bytes', bytes) }),
      }
      const isChange = Object.keys(changes).length > 0
      return shownLimits(isChange ? await users.setLimits(name, changes) : await users.find(name))
    }),
})

const remove = defineCommand({
  parameters: NAME,
  flags: { yes: { kind: 'switch', help: 'Confirm; this cannot be undone' }, ...ACCOUNT_FLAGS },
  examples: ['remindb users delete ada --yes'],
  run: (context, { parameters: { name }, flags: { yes, ...flags } }) =>
    withAccounts(context, flags, async ({ users }) => {
      if (!yes)
        throw new MemoryError(
          'INVALID_INPUT',
          `nothing was changed; deleting "${name}" also deletes its keys, memberships and connected clients: add --yes, or disable it instead`,
        )
      return changed('deleted', await users.delete(name))
    }),
})

export const users = { create, list, reset, disable, enable, limits, delete: remove }

function limitOf(name: 'memories' | 'bytes', given: string): Limit | 'default' {
  if (given === 'none' || given === 'default') return given
  const limit = name === 'bytes' ? parseSize(given) : Number(/^\d+$/.exec(given)?.[0] ?? Number.NaN)
  if (Number.isSafeInteger(limit)) return limit as number
  throw new UsageError(`--${name} must be ${LIMIT}; got "${given}"`)
}

function shownLimits({ id, name, limits }: User): Answer {
  const { memories = 'default', bytes = 'default' } = limits
  return {
    json: { id, name, memories, bytes },
    lines: [`${name}: memories ${memories}, bytes ${bytes}`],
  }
}

function tableOf(all: readonly User[]): string[] {
  if (all.length === 0) return ['there are no users yet; create one with `remindb users create NAME`']
  const rows = all.map(({ name, isAdmin, createdAt, disabledAt }) => [
    name,
    isAdmin ? 'administrator' : 'user',
    disabledAt === null ? 'enabled' : `disabled ${shortTime(disabledAt)}`,
    shortTime(createdAt),
  ])
  return alignColumns([['name', 'kind', 'state', 'created'], ...rows])
}
