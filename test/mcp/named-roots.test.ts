import { cpSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureProgramIsBuilt, remindb } from '../support/cli.ts'
import { connect, noteFolder } from '../support/mcp.ts'
import { soon } from '../support/soon.ts'

beforeAll(ensureProgramIsBuilt)

const SECRET = 'The treasure is under the oak.'

/** Notes, a secret beside them, and a place for databases that is in neither. */
function openPlace() {
  const folder = realpathSync(
    noteFolder({ 'notes/a.md': '# A\n\nIn a.\n', 'secret/s.md': `${SECRET}\n`, 'dbs/keep.txt': '' }),
  )
  const run = (...args: string[]) => {
    const ended = remindb(args, { cwd: folder })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    return ended.stdout
  }
  const inside = (path: string) => join(folder, path)
  return { folder, run, inside, db: inside('dbs/m.db') }
}

/** An export as a stranger could have made it: its root is whatever they like. */
function madeFrom(at: ReturnType<typeof openPlace>, root = at.inside('notes')): string {
  at.run('compile', 'notes', '--db', 'dbs/first.db')
  const text = at.run('export', '--db', 'dbs/first.db')
  const file = at.inside('dbs/x.jsonl')
  writeFileSync(file, text.replaceAll(JSON.stringify(at.inside('notes')), JSON.stringify(root)))
  return file
}

function importWithRoot(at: ReturnType<typeof openPlace>, root: string): string {
  at.run('import', madeFrom(at, root), '--db', at.db)
  expect(at.run('inspect', '--files', '--db', at.db)).toContain(resolve(at.inside('dbs'), root))
  return at.db
}

describe('a root that the operator did not name', () => {
  test.each(['/', '..', 'the folder itself'])(
    'from an import does not let a client read files: %s',
    async (root) => {
      const at = openPlace()
      const db = importWithRoot(at, root === 'the folder itself' ? at.inside('secret') : root)
      const server = await connect({ args: ['--db', db] })
      for (const path of [at.inside('secret'), at.inside('secret/s.md'), 'secret', 'a.md']) {
        const answer = await server.call('MemoryCompile', { path })
        expect(answer).toContain('`remindb compile <folder>`')
        expect(answer).toContain('`remindb serve --source <folder>`')
      }
      expect(await server.call('MemorySearch', { query: 'treasure' })).not.toContain(SECRET)
    },
  )

  test('from an import does not let a link in the source lead out of the source', async () => {
    const at = openPlace()
    const db = importWithRoot(at, '/')
    symlinkSync(at.inside('secret/s.md'), at.inside('notes/leak.md'))
    const server = await connect({ args: ['--db', db, '--source', 'notes'], cwd: at.folder })
    await soon(server.stderr).toContain('is a link that leaves the folder')
    expect(await server.call('MemoryCompile', { path: at.inside('notes') })).toContain('leaves the folder')
    expect(await server.call('MemorySearch', { query: 'treasure' })).not.toContain(SECRET)
  })

  test('is not the home that a copied database remembers', async () => {
    const at = openPlace()
    at.run('compile', 'notes')
    at.run('backup', at.db, '--db', 'notes')
    const server = await connect({ args: ['--db', at.db] })
    expect(await server.call('MemoryCompile', { path: at.inside('notes') })).toContain(
      `"${at.inside('notes')}" is not inside a folder that was named for this memory`,
    )
  })

  test('is every folder once the database lies elsewhere', async () => {
    const at = openPlace()
    at.run('compile', 'notes', '--db', at.db)
    cpSync(at.db, at.inside('dbs/moved.db'))
    const server = await connect({ args: ['--db', at.inside('dbs/moved.db')] })
    expect(await server.call('MemoryCompile', { path: at.inside('notes') })).toContain(
      '`remindb compile <folder>`',
    )
    at.run('compile', 'notes', '--db', 'dbs/moved.db')
    expect(await server.call('MemoryCompile', { path: at.inside('notes') })).toContain('compiled: ')
  })

  test('is the folder around a file that was compiled alone', async () => {
    const at = openPlace()
    at.run('compile', 'secret/s.md', '--db', at.db)
    writeFileSync(at.inside('secret/other.md'), 'Another secret.\n')
    const server = await connect({ args: ['--db', at.db] })
    expect(await server.call('MemoryCompile', { path: at.inside('secret/s.md') })).toContain('compiled: ')
    for (const path of [at.inside('secret'), at.inside('secret/other.md')])
      expect(await server.call('MemoryCompile', { path })).toContain('is not inside a folder that was named')
  })
})

describe('a root that the operator named', () => {
  test('with `compile` is remembered outside of the database, for its owner alone', async () => {
    const at = openPlace()
    at.run('compile', 'notes', '--db', at.db)
    const config = join(process.env.XDG_CONFIG_HOME ?? '', 'remindb')
    expect(JSON.parse(readFileSync(join(config, 'roots.json'), 'utf8')).databases[at.db]).toEqual([
      at.inside('notes'),
    ])
    expect(statSync(config).mode & 0o777).toBe(0o700)
    expect(statSync(join(config, 'roots.json')).mode & 0o777).toBe(0o600)
    const server = await connect({ args: ['--db', at.db] })
    for (const path of [at.inside('notes'), 'a.md', '.', at.inside('notes/a.md')])
      expect(await server.call('MemoryCompile', { path })).toContain('compiled: ')
    expect(await server.call('MemoryCompile', { path: at.inside('secret') })).toContain(
      'is not inside a folder',
    )
  })

  test('with `serve --source` is there for a later start without it', async () => {
    const at = openPlace()
    const first = await connect({ args: ['--db', at.db, '--source', 'notes'], cwd: at.folder })
    expect(await first.call('MemoryCompile', { path: 'a.md' })).toContain('compiled: ')
    await first.close()
    const second = await connect({ args: ['--db', at.db] })
    expect(await second.call('MemoryCompile', { path: at.inside('notes') })).toContain('compiled: ')
  })

  test('in `compile.roots` is one for every memory, unless a folder says so', async () => {
    const at = openPlace()
    at.run('import', madeFrom(at), '--db', at.db)
    mkdirSync(at.inside('dbs/.remindb'))
    writeFileSync(at.inside('dbs/.remindb/config.json'), `{"compile.roots": ["${at.inside('secret')}"]}`)
    const env = { REMINDB_COMPILE_ROOTS: at.inside('notes') }
    const server = await connect({ args: ['--db', at.db], env })
    expect(await server.call('MemoryCompile', { path: at.inside('notes') })).toContain('added')
    expect(await server.call('MemoryCompile', { path: at.inside('secret') })).toContain('not inside a folder')
  })

  test('is the folder that has the memory in its .remindb, but not the folders below which homes are', async () => {
    const at = openPlace()
    at.run('compile', 'notes')
    const server = await connect({ args: ['--db', at.inside('notes')] })
    expect(await server.call('MemoryCompile', { path: 'a.md' })).toContain('compiled: ')
    mkdirSync(at.inside('.remindb'))
    cpSync(at.inside('notes/.remindb/memory.db'), at.inside('.remindb/memory.db'))
    const home = await connect({ args: ['--db', at.folder], env: { HOME: at.inside('notes') } })
    expect(await home.call('MemoryCompile', { path: at.inside('secret') })).toContain('named for this memory')
  })
})
