import { join } from 'node:path'
import { type Memory, openWithSettings } from '../../src/runtime/memory/open-memory.ts'
import { createSharedThreads } from '../../src/runtime/memory/shared-threads.ts'
import { openLiveConfig } from '../../src/runtime/settings/live-config.ts'
import { useThreadBundles } from '../../src/util/files/thread-file.ts'
import type { Plan } from './figures.ts'
import { fileOf } from './files.ts'
import { measure } from './measure.ts'

// As they are built: from sources each thread would first take the types out of its files.
useThreadBundles(join(import.meta.dirname, '..', '..', 'dist'))
const plan = JSON.parse(process.argv[2] ?? '') as Plan
const threads = createSharedThreads()
function fail(error: unknown): never {
  throw error
}

const figures = await measure<Memory>(plan, {
  open(space) {
    const live = openLiveConfig({
      ...{ flags: { author: 'bench' }, stateFolder: plan.folder, defaults: {}, onInvalid: fail },
    })
    const options = { db: fileOf(plan.folder, space), rememberRoots: false, onProblem: fail, threads }
    return openWithSettings(options, { live, config: live() })
  },
  search: (memory, query) => memory.search({ query }),
  write: (memory, payload) => memory.write({ payload }),
  async watch(memory) {
    await memory.flush()
    return memory.watch(() => undefined)
  },
  close: (memory) => memory.close(),
})
await threads.close()
process.stdout.write(JSON.stringify(figures))
