import type { GrantEntry } from '../../../core/accounts/grants.ts'
import { MemoryError } from '../../../core/errors.ts'
import { clientHosts } from '../../../runtime/signin/client-hosts.ts'
import { alignColumns } from '../../../util/terminal/table.ts'
import { printable } from '../../../util/text/printable.ts'
import { defineCommand } from '../../base/command.ts'
import { isoTime, shortTime } from '../../layout/times.ts'
import { ACCOUNT_FLAGS, type Answer, withAccounts } from './with-accounts.ts'

const list = defineCommand({
  parameters: {},
  flags: {
    user: { kind: 'text', value: 'NAME', help: 'Only of this user' },
    space: { kind: 'text', value: 'NAME', help: 'Only in this space' },
    ...ACCOUNT_FLAGS,
  },
  examples: ['remindb clients list', 'remindb clients list --user ada --json'],
  run: (context, { flags: { user, space, ...flags } }) =>
    withAccounts(context, flags, async (accounts) => {
      const of = { ...(user === undefined ? {} : { user }), ...(space === undefined ? {} : { space }) }
      const grants = await accounts.grants.list(of)
      const hosts = grants.map(async ({ clientId }) => (await clientHosts(accounts, clientId)).join(','))
      return listed(grants, await Promise.all(hosts))
    }),
})

const revoke = defineCommand({
  parameters: {
    id: {
      kind: 'text',
      help: 'The id of the access, or of a client for all it has; clients list --json shows both',
    },
  },
  flags: ACCOUNT_FLAGS,
  examples: [
    'remindb clients revoke 3fK9aZ0q3fK9aZ0q',
    'remindb clients revoke https://agent.example/client.json',
  ],
  run: (context, { parameters: { id }, flags }) =>
    withAccounts(context, flags, async ({ grants, clients }) => {
      const found = (await grants.list()).filter((grant) => grant.id === id || grant.clientId === id)
      if (await grants.revoke(id)) return revoked(id, found)
      if (await clients.remove(id)) return revoked(id, found)
      throw new MemoryError(
        'NOT_FOUND',
        `there is no client "${id}", and no access with this id; list them with \`remindb clients list\``,
      )
    }),
})

export const clients = { list, revoke }

function revoked(id: string, grants: readonly GrantEntry[]): Answer {
  const lines = grants.map(
    ({ user, clientName, space }) => `revoked: ${printable(clientName)} of ${user} in ${space}`,
  )
  return {
    json: { id, revoked: grants.map((grant) => grant.id) },
    lines: lines.length > 0 ? lines : [`revoked: ${id}`],
  }
}

/** `hosts`: of the client of each grant. */
function listed(grants: readonly GrantEntry[], hosts: readonly string[]): Answer {
  const json = grants.map((grant, at) => toJson(grant, hosts[at] ?? ''))
  if (grants.length === 0) return { json, lines: ['no client has access through a user'] }
  const rows = grants.map(({ id, user, clientName, space, scopes, lastUsedAt }, at) => [
    id,
    user,
    printable(clientName),
    printable(hosts[at] ?? ''),
    space,
    scopes.join(','),
    shortTime(lastUsedAt),
  ])
  const header = ['id', 'user', 'client', 'host', 'space', 'scopes', 'last used']
  return { json, lines: alignColumns([header, ...rows]) }
}

function toJson(grant: GrantEntry, host: string) {
  const { id, user, space, clientId, clientName, scopes, createdAt, expiresAt, lastUsedAt } = grant
  return {
    ...{ id, user, space, client: clientId, name: clientName, host, scopes },
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
    last_used_at: isoTime(lastUsedAt),
  }
}
