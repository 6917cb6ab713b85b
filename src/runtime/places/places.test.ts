import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { compileScope, findMemory, placesOf, showRoot } from './places.ts'

let base: string
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'remindb-places-')))
  mkdirSync(join(base, 'home', 'sub', 'deep'), { recursive: true })
  mkdirSync(join(base, 'home', '..dots'))
  mkdirSync(join(base, 'ext', 'inner'), { recursive: true })
  for (const file of [
    'home/a.md',
    'home/sub/b.md',
    'home/sub/deep/c.md',
    'home/..dots/d.md',
    'ext/inner/e.md',
  ])
    writeFileSync(join(base, file), 'x')
})
afterEach(() => rmSync(base, { recursive: true }))

describe('placesOf', () => {
  test.each([
    ['a folder', 'home', 'home/.remindb/memory.db', 'home'],
    ['a file in .remindb', 'home/.remindb/memory.db', 'home/.remindb/memory.db', 'home'],
    ['another file in .remindb', 'home/.remindb/x.db', 'home/.remindb/x.db', 'home'],
    ['a file anywhere', 'ext/x.db', 'ext/x.db', 'ext'],
    ['a file in a folder that does not exist yet', 'new/x.db', 'new/x.db', 'new'],
  ])('of %s', (_, db, file, home) => {
    expect(placesOf(join(base, db))).toMatchObject({
      db: join(base, file),
      stateFolder: join(base, home, '.remindb'),
      home: join(base, home),
    })
  })

  test('of a .remindb folder', () => {
    mkdirSync(join(base, 'home', '.remindb'))
    expect(placesOf(join(base, 'home', '.remindb')).db).toBe(join(base, 'home', '.remindb', 'memory.db'))
  })

  test('does not depend on whether the home behind a link already exists', () => {
    symlinkSync(join(base, 'ext'), join(base, 'link'))
    const db = join(base, 'link', 'new', '.remindb', 'memory.db')
    const before = placesOf(db).home
    mkdirSync(join(base, 'ext', 'new', '.remindb'), { recursive: true })
    expect(placesOf(db).home).toBe(before)
    expect(before).toBe(join(base, 'ext', 'new'))
  })
})

describe('findMemory', () => {
  test('looks in the folder and above it, nearest first', () => {
    expect(findMemory(join(base, 'home', 'sub'))).toBeUndefined()
    for (const folder of ['home', 'home/sub']) {
      mkdirSync(join(base, folder, '.remindb'))
      writeFileSync(join(base, folder, '.remindb', 'memory.db'), '')
    }
    const found = (folder: string) => findMemory(join(base, folder))
    expect(found('home/sub/deep')).toBe(join(base, 'home/sub/.remindb/memory.db'))
    expect(found('home/..dots')).toBe(join(base, 'home/.remindb/memory.db'))
  })

  describe.runIf(process.getuid?.() === 0)('of another user', () => {
    const [ADA, EVE] = [2000, 12345]
    const own = (uid: number, path: string) => chownSync(join(base, path), uid, uid)
    const from = (folder: string) => () => findMemory(join(base, folder))
    beforeEach(() => {
      mkdirSync(join(base, 'home', '.remindb'))
      writeFileSync(join(base, 'home', '.remindb', 'memory.db'), '')
      own(EVE, 'home/.remindb')
    })

    test('is refused above the folder: any user can put one into a shared place', () => {
      const db = join(base, 'home', '.remindb', 'memory.db')
      const message = `the memory at ${db} belongs to another user; name it with --db to use it`
      const refused = expect.objectContaining({ code: 'FORBIDDEN', message })
      expect(from('home/sub')).toThrow(refused)
      expect(from('home/sub/deep')).toThrow(refused)
      own(ADA, 'home/sub/deep')
      expect(from('home/sub/deep')).toThrow(refused)
    })

    test('is found in the folder itself, or where both have one owner', () => {
      const db = join(base, 'home', '.remindb', 'memory.db')
      expect(from('home')()).toBe(db)
      own(EVE, 'home/sub/deep')
      expect(from('home/sub/deep')()).toBe(db)
    })

    test("is found when it is root's or one's own", () => {
      own(0, 'home/.remindb')
      own(ADA, 'home/sub')
      expect(from('home/sub')()).toBe(join(base, 'home', '.remindb', 'memory.db'))
    })
  })
})

describe('compileScope', () => {
  const scopeOf = (path: string, stored: string[] = []) =>
    compileScope(placesOf(join(base, 'home')), realpathSync(join(base, path)), { stored, named: [] })

  test.each([
    ['home', '.', 'home', ''],
    ['home/a.md', '.', 'home', 'a.md'],
    ['home/sub', '.', 'home', 'sub'],
    ['home/sub/deep/c.md', '.', 'home', 'sub/deep/c.md'],
    ['home/..dots', '.', 'home', '..dots'],
  ])('of %s below home is relative to home', (path, stored, root, scope) => {
    expect(scopeOf(path)).toMatchObject({ stored, root: join(base, root), scope })
    expect(scopeOf(path, ['.', join(base, 'ext')])).toMatchObject({ stored, root: join(base, root), scope })
  })

  test('outside of home is relative to the widest root, or to the folder itself', () => {
    const ext = join(base, 'ext')
    expect(scopeOf('ext/inner')).toMatchObject({
      stored: join(ext, 'inner'),
      root: join(ext, 'inner'),
      scope: '',
    })
    expect(scopeOf('ext/inner/e.md')).toMatchObject({ stored: join(ext, 'inner'), scope: 'e.md' })
    expect(scopeOf('ext/inner', [ext])).toMatchObject({ stored: ext, root: ext, scope: 'inner' })
    expect(scopeOf('ext/inner', [ext, join(ext, 'inner')])).toMatchObject({ stored: ext, scope: 'inner' })
  })

  test('of a folder above home does not go by home', () => {
    expect(scopeOf('.')).toMatchObject({ stored: base, root: base, scope: '' })
  })

  test('follows links to where things are', () => {
    symlinkSync(join(base, 'home', 'sub'), join(base, 'shortcut'))
    expect(scopeOf('shortcut/b.md')).toMatchObject({ stored: '.', scope: 'sub/b.md' })
    symlinkSync(join(base, 'ext'), join(base, 'home', 'outside'))
    expect(scopeOf('home/outside')).toMatchObject({ stored: join(base, 'ext'), scope: '' })
  })

  test('lets links lead only into named roots, regardless of the stored ones', () => {
    const places = placesOf(join(base, 'ext', 'm.db'))
    const linksOf = (path: string, named: string[], stored = ['/', join(base, 'home')]) =>
      compileScope(places, join(base, path), { stored, named: named.map((one) => join(base, one)) })
    expect(linksOf('home/sub', [])).toMatchObject({ root: '/', linksWithin: join(base, 'home/sub') })
    expect(linksOf('home/sub', ['home'])).toMatchObject({ root: '/', linksWithin: join(base, 'home') })
    expect(linksOf('home/sub/b.md', [])).toMatchObject({ linksWithin: join(base, 'home/sub/b.md') })
    const inner = join(base, 'home', 'sub')
    expect(linksOf('home/sub/deep', ['home'], [inner])).toMatchObject({ root: inner, linksWithin: inner })
  })
})

test('showRoot makes a stored root absolute for the current home', () => {
  const places = placesOf(join(base, 'home'))
  expect(showRoot(places, '')).toBe('')
  expect(showRoot(places, '.')).toBe(join(base, 'home'))
  expect(showRoot(places, 'sub')).toBe(join(base, 'home', 'sub'))
  expect(showRoot(places, '/elsewhere')).toBe('/elsewhere')
})

test.each(['postgres://host/team', 'https://example.org/memory.db', 'file:///tmp/memory.db'])(
  '%s is refused: as a path it would become a folder',
  (url) => {
    expect(() => placesOf(url)).toThrow(
      `a memory cannot be opened from ${url.split(':')[0]}://; name a database file, or a folder that has one`,
    )
  },
)
