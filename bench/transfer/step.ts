/** Child of `bench/transfer.ts`: one export or import in a process of its own, so that its memory can be told. */
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import { openMemory } from '../../src/index.ts'

const [step = '', db = '', file = ''] = process.argv.slice(2)
await using memory = await openMemory({ db, settings: { author: 'bench' } })
const start = performance.now()
const { nodes } = step === 'export' ? await exportTo(file) : await memory.import(createReadStream(file))
const ms = performance.now() - start
process.stdout.write(JSON.stringify({ nodes, ms, peakBytes: process.resourceUsage().maxRSS * 1024 }))

async function exportTo(target: string): Promise<{ nodes: number }> {
  const handle = openSync(target, 'w')
  try {
    return await memory.export((text) => void writeSync(handle, text))
  } finally {
    closeSync(handle)
  }
}
