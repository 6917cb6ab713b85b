import { readMemoryConfig } from '../../src/core/files/model.ts'
import type { Engine } from '../../src/core/port/store.ts'
import { createDoors } from '../../src/runtime/memory/doors.ts'
import { createPreparer } from '../../src/runtime/memory/preparer.ts'
import { createNamedRoots } from '../../src/runtime/places/named-roots.ts'
import { placesOf } from '../../src/runtime/places/places.ts'
import { openLiveConfig } from '../../src/runtime/settings/live-config.ts'
import { createRedactor, redactionSettings } from '../../src/runtime/settings/redaction.ts'
import { temperatureOf } from '../../src/runtime/settings/temperature.ts'
import { hash } from './store-changes.ts'

/** The doors of a memory over any engine, for authors; the folder is what `compile` reads. */
export async function openDoors({ store, maintenance }: Engine, folder: string) {
  const fail = (error: unknown): never => {
    throw error
  }
  const places = placesOf(folder)
  const live = openLiveConfig({
    ...{ flags: {}, stateFolder: places.stateFolder, defaults: { author: 'test' } },
    ...{ onInvalid: fail, onIgnored: fail },
  })
  const config = live()
  const redaction = await createRedactor(redactionSettings(config))
  const preparer = createPreparer({ redaction, maxNodeTokens: config['compile.max_node_tokens'] })
  let now = Date.UTC(2026, 0, 1)
  const doors = createDoors({
    ...{ store, sweptStore: () => store, maintenance, hash, places, redaction, config },
    now: () => ++now,
    ...{ prepare: preparer.prepare, settings: live, temperature: () => temperatureOf(live()) },
    ...{ readOnly: true, onProblem: fail, onNotRemembered: fail, onExpiring: () => undefined },
    named: createNamedRoots({ places, file: null, given: [folder], onProblem: fail }),
  })
  const node = readMemoryConfig({ id: 'memory' }, 'node')
  return (author: string) => {
    // As a server knows a user: what each creates counts against a quota.
    const caller = { userId: author, principalId: `key of ${author}`, address: '::1' }
    const own = doors.of({ author, caller })
    return { ...own, files: own.memoryNode(node).getMemoryService({ threadId: 't' }) }
  }
}

export type DoorsOf = Awaited<ReturnType<typeof openDoors>>
