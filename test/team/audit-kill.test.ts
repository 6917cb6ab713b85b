import { beforeAll, expect, test } from 'vitest'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { spaceFiles } from '../../src/runtime/spaces/space-files.ts'
import { auditOf } from '../support/audit.ts'
import { ensureProgramIsBuilt } from '../support/cli.ts'
import type { RawClient } from '../support/raw-client.ts'
import { WRITER } from '../support/team.ts'
import { createTeamFolder, serveTeam } from '../support/team-process.ts'

beforeAll(ensureProgramIsBuilt)

test('a server that is killed has stored every write with its entry, and no entry without its write', async () => {
  const team = await createTeamFolder()
  await team.accounts.users.create({ name: 'ada' })
  const { key } = await team.accounts.keys.create({ user: 'ada', space: 'red', scopes: WRITER })
  const acknowledged = new Set<string>()
  for (const [round, count] of [5, 40, 17].entries()) {
    const server = await serveTeam(team.dir, { REMINDB_RATE_PER_MINUTE: 'none' })
    const enough = Promise.withResolvers<void>()
    let done = 0
    const onWritten = (id: string): void => {
      acknowledged.add(id)
      if (++done >= count) enough.resolve()
    }
    const writers = await Promise.all(
      Array.from({ length: 4 }, async (_, at) => ({
        client: await server.connect(key),
        prefix: `${round}-${at}`,
      })),
    )
    const writing = writers.map(({ client, prefix }) =>
      writeNotes(client, prefix, onWritten).catch(ignoreGone),
    )
    await Promise.race([enough.promise, Promise.all(writing)])
    await server.kill()
    await Promise.all(writing)
    const { entries, verified } = await auditOf(team)
    expect(verified).toEqual({ status: 'ok', entries: entries.length })
    const noted = entries.filter(({ event }) => event === 'node_written').map(({ subject }) => subject)
    const stored = await storedNodes(team)
    expect(noted.toSorted()).toEqual(stored)
    expect(stored).toEqual(expect.arrayContaining([...acknowledged]))
  }
})

/** Until the server is gone: writes notes, and reads them. */
async function writeNotes(
  client: RawClient,
  prefix: string,
  onWritten: (id: string) => void,
): Promise<never> {
  for (let at = 0; ; at++) {
    const { text } = await client.ask('tools/call', {
      ...{ name: 'MemoryWrite', arguments: { payload: `Note ${prefix} ${at}.` } },
    })
    const id = /[0-9A-Za-z]{11}/.exec(JSON.parse(text).result.content[0].text)?.[0] ?? ''
    onWritten(id)
    await client.ask('tools/call', { name: 'MemoryFetch', arguments: { id } })
  }
}

async function storedNodes({
  dir,
  accounts,
}: Awaited<ReturnType<typeof createTeamFolder>>): Promise<string[]> {
  const { id = '' } = (await accounts.spaces.find('red')) ?? {}
  await using memory = await openMemory({ db: spaceFiles(dir, id).db, create: false, readOnly: true })
  return (await memory.forest()).roots.map((root) => root.id).toSorted()
}

/** The connection broke: what else goes wrong is not to be missed. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof TypeError)) throw error
}
