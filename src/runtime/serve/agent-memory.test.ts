import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openWorkspace } from '../../../test/support/engine.ts'
import { agentMemories } from './agent-memory.ts'
import { createCompileRuns } from './compile-runs.ts'

test.each([
  ['without the message', ''],
  ['by its absolute path', 'absolute'],
  ['by a link', 'link'],
])('whoever compiles the same path, %s, waits for the compile that goes on', async (_how, name) => {
  await using at = await openWorkspace({ 'notes/a.md': '# A\n' })
  at.file('notes/b.md', '# B\n')
  symlinkSync(join(at.folder, 'notes'), join(at.folder, 'link'))
  const path = { '': 'notes', absolute: join(at.folder, 'notes'), link: 'link' }[name] ?? ''
  const as = agentMemories({
    memory: at.memory,
    config: at.memory.settings(),
    temperature: () => ({}) as never,
    runs: createCompileRuns({ onFailure: () => undefined }),
  })
  const first = as({ author: 'one' }).compile('notes', { message: 'import' })
  const second = as({ author: 'two' }).compile(path, {})
  expect(await second).toBe(await first)
})
