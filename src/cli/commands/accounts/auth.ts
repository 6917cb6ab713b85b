import { defineCommand } from '../../base/command.ts'
import { givenPassword, PASSWORD_FLAG } from './password.ts'
import { changed } from './user-answer.ts'
import { ACCOUNT_FLAGS, endSetup, withAccounts } from './with-accounts.ts'

const DEFAULT_NAME = 'admin'

const init = defineCommand({
  parameters: {
    name: { kind: 'text', optional: true, help: `The name of the administrator. Default: ${DEFAULT_NAME}` },
  },
  flags: { ...PASSWORD_FLAG, ...ACCOUNT_FLAGS },
  examples: [
    'remindb auth init --spaces /srv/remindb',
    'remindb auth init --json',
    'remindb auth init root --password-stdin < password.txt',
  ],
  run: async (context, { parameters: { name = DEFAULT_NAME }, flags }) => {
    const given = await givenPassword(context, flags)
    return withAccounts(
      context,
      flags,
      async ({ setup, passwords }, dir) => {
        const password = given ?? passwords.generate()
        const admin = await setup.createAdmin({ name, password })
        await endSetup(dir)
        return changed('created', admin, given === undefined ? password : undefined)
      },
      { create: true },
    )
  },
})

const rotateKeys = defineCommand({
  parameters: {},
  flags: ACCOUNT_FLAGS,
  examples: ['remindb auth rotate-keys', 'remindb auth rotate-keys --json'],
  run: (context, { flags }) =>
    withAccounts(context, flags, async (accounts) => {
      const keys = await import('../../../runtime/spaces/server-keys.ts')
      await keys.rotateKeys(accounts)
      return {
        json: { rotated: ['signing', 'cookies'] },
        lines: [
          'rotated: the keys for signing and for cookies; what older ones signed is accepted for 30 days',
        ],
      }
    }),
})

export const auth = { init, 'rotate-keys': rotateKeys }
