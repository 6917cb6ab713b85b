import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SCOPES } from '../../src/core/access/scopes.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { spaceFiles } from '../../src/runtime/spaces/space-files.ts'
import { temporaryFolder } from '../support/engine.ts'
import { ERAS } from '../support/mcp.ts'
import { keyFor, openTeam, type Team } from '../support/team.ts'
import { type Asked, personWith, textIn } from '../support/team-requests.ts'
import { plant, surfacesOf } from '../support/team-surfaces.ts'

async function filesOfRed({ accounts, dir }: Team) {
  return spaceFiles(dir, (await accounts.spaces.find('red'))?.id ?? '')
}

/** Folders of the host that its operator compiled into a space, one of them gone since. */
async function compileInto(team: Team): Promise<string[]> {
  const { db } = await filesOfRed(team)
  await using memory = await openMemory({ db, create: false })
  const folders = ['notes', 'gone'].map((name) => join(temporaryFolder(), name))
  for (const folder of folders) {
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.md'), '# Deploys\n\nNever on a Friday. See [[b]].\n')
    await memory.compile(folder)
    writeFileSync(join(folder, 'b.md'), '# Other\n\nMore.\n')
    await memory.compile(folder)
  }
  rmSync(folders[1] ?? '', { recursive: true })
  return folders
}

test.each(ERAS)('no path of the host is shown to who is not an admin, over %s', async (revision) => {
  const team = await openTeam()
  const folders = await compileInto(team)
  const admin = await personWith(team, { ...(await keyFor(team, { scopes: SCOPES })), revision })
  const planted = await plant({
    call: async (tool, args) => textIn(await admin.call(tool, args)),
    read: async (uri) => textIn(await admin.read(uri)),
  })
  for (const scope of ['memories:read', 'memories:write'] as const) {
    const client = await personWith(team, {
      ...(await keyFor(team, { user: scope.slice(9), scopes: [scope] })),
      revision,
    })
    for (const { name, asked } of surfacesOf(planted)) {
      const text = await (await client.send(asked)).text()
      for (const path of [team.dir, ...folders]) expect(text, `${name} with ${scope}`).not.toContain(path)
    }
  }
  expect(textIn(await admin.read('remindb://files'))).toContain(folders[0])
})

test.each(ERAS)('an error shows no path of the host to who is not an admin, over %s', async (revision) => {
  const team = await openTeam()
  const writer = await personWith(team, { ...(await keyFor(team)), revision })
  const admin = await personWith(team, { ...(await keyFor(team, { user: 'eve', scopes: SCOPES })), revision })
  await writer.call('remember', { key: 'plan', value: 'Ship it.' })
  const { db } = await filesOfRed(team)
  renameSync(db, `${db}.moved`)
  const asked: Asked[] = [
    called('MemoryStats'),
    called('recall', { key: 'plan' }),
    called('get_memory_stats'),
    called('memory', { command: 'list', path: '/' }),
    ...['remindb://tree', 'memory://plan', 'memory://recent'].map((uri) => ({
      ...{ method: 'resources/read', params: { uri } },
    })),
    { method: 'prompts/get', params: { name: 'recall-context', arguments: { topic: 'work' } } },
  ]
  for (const one of asked) {
    expect(await (await admin.send(one)).text(), one.method).toContain(db)
    expect(await (await writer.send(one)).text(), one.method).not.toContain(team.dir)
  }
  const { error } = await writer.read('remindb://tree')
  expect(error.message).toBe(
    'the database space:red was deleted, moved or replaced while it was open; put it back, or start the server again',
  )
  renameSync(`${db}.moved`, db)
})

function called(name: string, args = {}): Asked {
  return { method: 'tools/call', params: { name, arguments: args } }
}
