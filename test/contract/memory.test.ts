import { describe } from 'vitest'
import { openInMemory } from '../../src/store/memory/engine.ts'
import { hash } from '../support/store-changes.ts'
import { STORE_CONTRACT } from './store.ts'

// One file for all of it: there is nothing to wait for.
for (const [part, contract] of Object.entries(STORE_CONTRACT))
  describe(`An engine in memory keeps the contract of the store: ${part}`, () =>
    contract(() => openInMemory({ hash }), { files: false }))
