import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { connect, noteFolder } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

describe.skipIf(process.platform === 'win32')('a memory that was read-only when it was opened', () => {
  test.each([
    { what: 'file', fileMode: 0o400, folderMode: 0o700 },
    { what: 'folder', fileMode: 0o600, folderMode: 0o500 },
    { what: 'file and folder', fileMode: 0o400, folderMode: 0o500 },
  ])('($what) is written to and read from again once it may be', async ({ fileMode, folderMode }) => {
    const cwd = noteFolder({ 'a.md': '# Deploys\n\nNever on a Friday.\n' })
    const state = join(cwd, '.remindb')
    const file = join(state, 'memory.db')
    expect(remindb(['compile', '.'], { cwd }).code).toBe(0)
    const permit = (): void => {
      chmodSync(state, 0o700)
      chmodSync(file, 0o600)
    }
    onTestFinished(permit)
    chmodSync(file, fileMode)
    chmodSync(state, folderMode)
    const { client, call } = await connect({ args: ['--db', file], unprivileged: true })
    const updated: string[] = []
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri)
    })
    await client.subscribeResource({ uri: 'remindb://tree' })
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
    expect(await call('MemoryWrite', { payload: 'Never on a Monday.' })).toContain('write permission')

    permit()
    expect(await call('MemoryWrite', { payload: 'Never on a Tuesday.' })).not.toContain('write permission')
    expect(await call('MemorySearch', { query: 'tuesday' })).toContain('Never on a Tuesday.')
    await soon(() => updated).toContain('remindb://tree')
    expect(remindb(['write', 'Never on a Sunday.'], { cwd }).code).toBe(0)
    expect(await call('MemorySearch', { query: 'sunday' })).toContain('Never on a Sunday.')
  })

  test('shows what others write there, when only they may', async () => {
    const cwd = noteFolder({ 'a.md': '# Deploys\n\nNever on a Friday.\n' })
    const state = join(cwd, '.remindb')
    expect(remindb(['compile', '.'], { cwd }).code).toBe(0)
    onTestFinished(() => chmodSync(state, 0o700))
    chmodSync(state, 0o500)
    const { call } = await connect({ args: ['--db', join(state, 'memory.db')], unprivileged: true })
    expect(await call('MemorySearch', { query: 'friday' })).toContain('Never on a Friday.')
    chmodSync(state, 0o700)
    expect(remindb(['write', 'Never on a Sunday.'], { cwd }).code).toBe(0)
    chmodSync(state, 0o500)
    expect(await call('MemorySearch', { query: 'sunday' })).toContain('Never on a Sunday.')
  })
})
