import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FileService } from '../../src/core/files/door.ts'
import { foldersAbove } from '../../src/core/files/path.ts'
import { expectSound, openWorkspace } from '../support/engine.ts'

/** Files as simple as they can be. */
class Model {
  readonly files = new Map<string, string>()
  readonly folders = new Set<string>()

  append(path: string, content: string): string | undefined {
    if (path === '/' || this.folders.has(path)) return 'EISDIR'
    if (foldersAbove(path).some((folder) => this.files.has(folder))) return 'EINVAL'
    for (const folder of foldersAbove(path)) this.folders.add(folder)
    const text = this.files.get(path) ?? ''
    const separator = text === '' || text.endsWith('\n') || content.startsWith('\n') ? '' : '\n'
    this.files.set(path, text + separator + content.toWellFormed())
    return undefined
  }

  update(path: string, before: string, after: string): number | string {
    if (path === '/' || this.folders.has(path)) return 'EISDIR'
    const text = this.files.get(path)
    if (text === undefined) return 'ENOENT'
    if (before === '') return 0
    const parts = text.split(before.toWellFormed())
    this.files.set(path, parts.join(after.toWellFormed()))
    return parts.length - 1
  }

  delete(path: string): { files: number; dirs: number } {
    const isGone = (one: string) => one === path || path === '/' || one.startsWith(`${path}/`)
    const files = [...this.files.keys()].filter(isGone)
    const folders = [...this.folders].filter(isGone)
    for (const one of files) this.files.delete(one)
    for (const one of folders) this.folders.delete(one)
    return { files: files.length, dirs: folders.length }
  }

  list(path: string): { name: string; kind: string }[] {
    const start = path === '/' ? '/' : `${path}/`
    const isBelow = (one: string) => one.startsWith(start) && !one.slice(start.length).includes('/')
    const entries = [
      ...[...this.files.keys()]
        .filter(isBelow)
        .map((one) => ({ name: one.slice(start.length), kind: 'file' })),
      ...[...this.folders].filter(isBelow).map((one) => ({ name: one.slice(start.length), kind: 'dir' })),
    ]
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  }
}

const path = fc
  .array(fc.constantFrom('a', 'b', 'a b', 'a-b', 'a.b', 'A'), { maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`)
const piece = fc.oneof(
  fc.constantFrom(
    '',
    '\n',
    'x',
    'x\n',
    '\nx',
    '# H',
    '## H\n\nx',
    '- x',
    '```',
    '---\na: 1\n---',
    '<b>x</b>',
    '  x  ',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ command: fc.constant('append' as const), path, content: piece }) },
  {
    weight: 2,
    arbitrary: fc.record({ command: fc.constant('update' as const), path, before: piece, after: piece }),
  },
  { weight: 1, arbitrary: fc.record({ command: fc.constant('delete' as const), path }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

/** What a call gives; the code of what it throws. */
const outcome = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: { fileCode?: string }) => error.fileCode ?? error)

async function step(files: FileService, model: Model, given: Command): Promise<void> {
  switch (given.command) {
    case 'append':
      expect(await outcome(files.append(given.path, given.content))).toBe(
        model.append(given.path, given.content),
      )
      break
    case 'update':
      expect(await outcome(files.update(given.path, given.before, given.after))).toBe(
        model.update(given.path, given.before, given.after),
      )
      break
    case 'delete':
      expect(await files.delete(given.path)).toEqual(model.delete(given.path))
  }
}

test('any commands leave what a map of paths and texts would hold', async () => {
  await using at = await openWorkspace()
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { maxLength: 12 }),
      fc.array(path, { maxLength: 3 }),
      async (commands, looks) => {
        const files = at.memory.memoryNode({ id: `n${runs++}`, scope: 'global' }).getMemoryService()
        const model = new Model()
        for (const one of commands) await step(files, model, one)
        expect(await files.dump()).toMatchObject({
          data: Object.fromEntries(model.files),
          dirs: Object.fromEntries([...model.folders].map((folder) => [folder, true])),
        })
        for (const one of ['/', ...looks]) {
          expect(await files.list(one)).toEqual(model.list(one))
          const text = model.files.get(one)
          const isFolder = one === '/' || model.folders.has(one)
          expect(await outcome(files.read(one))).toBe(text ?? (isFolder ? 'EISDIR' : 'ENOENT'))
          expect(await files.stat(one)).toEqual({
            kind: text !== undefined ? 'file' : isFolder ? 'dir' : 'none',
            size: Buffer.byteLength(text ?? ''),
          })
        }
      },
    ),
    { numRuns: 120 },
  )
  await expectSound(at.memory)
})

test('what is appended is read as it was, whatever it looks like', async () => {
  await using at = await openWorkspace()
  const files = at.memory.memoryNode({ id: 'exact', scope: 'global' }).getMemoryService()
  const texts = [
    '---\ntitle: x\n---\n\nbody\n',
    '<html><script>alert(1)</script>\n<!-- gone? -->',
    'a\r\nb\r\n',
    'trailing  \n\n\n',
    '\t\n \n',
    'nul \0 in it',
    '\ufeffbom',
    '\\# no heading &amp; [[Link; w=2; id=x]]',
    '{"a": 1}',
    '```\nopen',
    `long ${' '.repeat(100_000)} gap`,
  ]
  for (const [i, text] of texts.entries()) {
    await files.append(`/${i}`, text)
    await files.append(`/${i}`, text)
    const separator = text.endsWith('\n') ? '' : '\n'
    expect(await files.read(`/${i}`)).toBe(text + separator + text)
  }
  await files.append('/lone', 'a\ud800b')
  expect(await files.read('/lone')).toBe('a\ufffdb')
  await expectSound(at.memory)
})

test('a rollback brings every file and folder back as it was, wherever in a row of commands', async () => {
  await using at = await openWorkspace()
  let runs = 0
  const commands = fc.array(command, { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(commands, commands, async (first, then) => {
      const files = at.memory.memoryNode({ id: `n${runs++}`, scope: 'global' }).getMemoryService()
      const model = new Model()
      await files.append('/first', 'x')
      model.append('/first', 'x')
      for (const one of first) await step(files, model, one)
      const [head] = await at.memory.snapshots({ limit: 1 })
      const before = await files.dump()
      const later = structuredClone({ files: model.files, folders: model.folders })
      for (const one of then) await step(files, model, one)
      await at.memory.rollback({ snapshotId: head?.id ?? 0 })
      expect(await files.dump()).toEqual(before)
      const restored = Object.assign(new Model(), later)
      for (const one of then) await step(files, restored, one)
    }),
    { numRuns: 60 },
  )
  await expectSound(at.memory)
})
