import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt } from '../support/cli.ts'
import { connect, ERAS, noteFolder } from '../support/mcp.ts'

beforeAll(ensureProgramIsBuilt)

const BODY = 'aB3dE6gH9'.repeat(4)
const TOKEN = `ghp_${BODY}`

/** Everything that a server left beside the database, names of files too. */
function left(folder: string): string {
  const paths = readdirSync(join(folder, '.remindb'), { recursive: true, withFileTypes: true })
  const texts = paths
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`)
  return texts.join('\n')
}

describe.each(ERAS)('a client of %s', (revision) => {
  test('that has a secret in its name or in a path leaves none in logs, ledgers, names of files and answers', async () => {
    const folder = noteFolder({ 'a.md': '# A\n' })
    const env = { REMINDB_SERVER_SESSIONS_FLUSH_INTERVAL: '1s' }
    const server = await connect({
      ...{ args: ['--source', folder, '--verbose'], name: `agent ${TOKEN}`, revision, env },
    })
    for (const path of ['a.md', `${TOKEN}.md`, `/elsewhere/${TOKEN}`])
      await server.call('MemoryCompile', { path, message: `with ${TOKEN}` })
    await server.call('MemoryWrite', { payload: 'A note.' })
    const shown: unknown[] = []
    for (const uri of ['sessions', 'sessions/history', 'sessions/logs', 'logs', 'snapshots'])
      shown.push(await server.read(`remindb://${uri}`))
    await server.close()
    expect(JSON.stringify(shown)).not.toContain(TOKEN)
    expect(JSON.stringify(shown)).toContain('agent «redacted:github_pat»')
    expect(server.stderr()).toContain('«redacted:github_pat»')
    for (const text of [server.stderr(), left(folder)])
      expect(text.toLowerCase()).not.toContain(BODY.toLowerCase())
  })
})
