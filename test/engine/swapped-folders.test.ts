import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { isMemoryError } from '../../src/core/errors.ts'
import type { Memory } from '../../src/runtime/memory/open-memory.ts'
import { isInside } from '../../src/util/files/paths.ts'
import { openIn, temporaryFolder } from '../support/engine.ts'

const COMPILES = 150
const FILES = 20

/** Puts a link in the place of a folder and back, as fast as it can, until it is ended. */
const SWAP = `
const { renameSync, symlinkSync } = require('node:fs')
const { parentPort, workerData: { folder, parked, link, secret } } = require('node:worker_threads')
symlinkSync(secret, link)
parentPort.postMessage('started')
for (;;) {
  renameSync(folder, parked)
  renameSync(link, folder)
  renameSync(folder, link)
  renameSync(parked, folder)
}`

/** Notes with a folder that is a link to secrets half of the time. */
async function openSwapping() {
  const place = realpathSync(temporaryFolder())
  const inside = (path: string): string => join(place, path)
  for (const folder of ['notes/sub', 'secret', 'swap']) mkdirSync(inside(folder), { recursive: true })
  for (let at = 0; at < FILES; at++) {
    writeFileSync(inside(`notes/sub/${at}.md`), `Mine ${at}.\n`)
    writeFileSync(inside(`secret/${at}.md`), `Secret ${at}.\n`)
  }
  writeFileSync(inside('secret/only-here.md'), 'Secret.\n')
  const memory = await openIn(inside('m.db'), { source: inside('notes') })
  onTestFinished(() => memory.close())
  const workerData = {
    ...{ folder: inside('notes/sub'), secret: inside('secret') },
    ...{ parked: inside('swap/folder'), link: inside('swap/link') },
  }
  const worker = new Worker(SWAP, { eval: true, workerData })
  onTestFinished(() => worker.terminate().then(() => undefined))
  await new Promise((resolve) => worker.once('message', resolve))
  return { memory, inside }
}

/** What a compile reported; a refusal is as good. */
async function compiled(memory: Memory, path: string): Promise<string[]> {
  try {
    const { skipped, root } = await memory.compile(path, { onlyNamed: true })
    return [root, ...skipped.map((file) => file.path)]
  } catch (error) {
    if (!isMemoryError(error)) throw error
    return []
  }
}

test.each(['.', 'sub', 'sub/3.md'])(
  'a folder that is replaced by a link meanwhile lets nothing in from elsewhere: %s',
  async (path) => {
    const { memory, inside } = await openSwapping()
    const reported = new Set<string>()
    for (let at = 0; at < COMPILES; at++) for (const one of await compiled(memory, path)) reported.add(one)
    const { hits } = await memory.search({ query: 'secret', limit: 10 })
    expect(hits).toEqual([])
    expect((await memory.roots()).filter((root) => !isInside(inside('notes'), root))).toEqual([])
    expect([...reported].filter((one) => one.includes('only-here') || one.includes('secret'))).toEqual([])
  },
)
