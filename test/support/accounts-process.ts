import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { createAccounts } from '../../src/core/accounts/accounts.ts'
import { openAccounts } from '../../src/runtime/spaces/accounts.ts'
import { openSqliteAccounts } from '../../src/store/sqlite/accounts/engine.ts'
import type { ProgramInput } from './store-process.ts'
import { quickHash, sha256 } from './test-accounts.ts'

/** Programs on accounts that tests run in processes of their own; `store-children.ts` starts them. */
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

/** Synchronous: a line that was said is in the pipe, even if the process is killed right after. */
function say(...words: string[]): void {
  writeSync(1, `${words.join(' ')}\n`)
}

const open = (file: string) => openAccounts(dirname(file), { create: true })

const programs: Record<string, (input: ProgramInput) => Promise<void>> = {
  /** Until it is killed: makes users and keys, rotates and revokes them, and says each thing that was acknowledged. */
  async 'change-forever'({ file, name = '' }) {
    const { users, keys } = await open(file)
    const scopes = ['memories:read'] as const
    for (let at = 0; at < 100_000; at++) {
      const user = `${name}-${at}`
      await users.create({ name: user })
      const parent = await keys.create({ user, space: 'red', scopes })
      say('works', user, parent.id, parent.key)
      const child = await keys.createChild(parent.id, { scopes })
      say('works', user, child.id, child.key)
      const rotated = await keys.rotate(parent.id)
      say('works', user, rotated.id, rotated.key)
      if (at % 2 === 0) continue
      await keys.revoke(parent.id)
      say('ended', user, parent.id, child.id)
    }
  },

  /** Opens new accounts when told, and makes `count` users with a key each. */
  async create({ file, name = '', count = 0 }) {
    say('ready')
    await lines.next()
    const { users, spaces, keys, close } = await open(file)
    const { name: space } = await spaces.create(`${name}-space`)
    for (let at = 0; at < count; at++) {
      await users.create({ name: `${name}-${at}` })
      await keys.create({ user: `${name}-${at}`, space, scopes: ['memories:write'] })
    }
    await close()
    say('done')
  },

  /** When told, tries to consume `count` codes, and says which it got. */
  async consume({ file, count = 0 }) {
    const { records, close } = await open(file)
    say('ready')
    await lines.next()
    const got: string[] = []
    for (let at = 0; at < count; at++)
      if (await records.consume('AuthorizationCode', `code ${at}`)) got.push(String(at))
    await close()
    say(...got)
  },

  /** When told, binds `count` clients to the user `name`, and says which it got. */
  async bind({ file, name = '', count = 0 }) {
    const { users, clients, close } = await open(file)
    const { id } = await users.find(name)
    say('ready')
    await lines.next()
    const got: string[] = []
    for (let at = 0; at < count; at++) {
      const bound = await clients.bind(`client ${at}`, id).catch(() => undefined)
      if (bound) got.push(String(at))
    }
    await close()
    say(...got)
  },

  /** Until it is killed: sets the server up, and deletes the administrator again. */
  async 'setup-forever'({ file }) {
    const { setup, users } = createAccounts({
      ...{ store: openSqliteAccounts({ file, create: true }), now: Date.now, randomBytes, sha256 },
      scrypt: quickHash,
    })
    for (let at = 0; at < 100_000; at++) {
      const token = (await setup.begin()) ?? ''
      say('begun', token)
      await setup.complete(token, { name: 'root', password: 'correct horse' })
      say('completed', token)
      await users.delete('root')
    }
  },

  /** Ends by itself although it watches. */
  async watch({ file }) {
    const { watch } = await open(file)
    watch(() => undefined)
    say('watches')
  },
}

const [program = '', input = '{}'] = process.argv.slice(2)
await programs[program]?.(JSON.parse(input))
process.stdin.destroy()
