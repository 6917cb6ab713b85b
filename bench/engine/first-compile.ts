/** Child of `bench/formats.ts`: compiles a folder once with the built program of a checkout. Prints milliseconds of the processor. */
import { join } from 'node:path'
import { processorClock, timed } from './timing.ts'

const [checkout = '', folder = '', db = ''] = process.argv.slice(2)
const { openMemory }: typeof import('../../src/index.ts') = await import(join(checkout, 'dist/index.js'))
await using memory = await openMemory({ db, settings: { author: 'bench' } })
process.stdout.write(String(await timed(() => memory.compile(folder), processorClock)))
