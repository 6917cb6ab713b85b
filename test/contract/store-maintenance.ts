import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addDocument, commit, note } from '../support/store-changes.ts'
import { rootsOf } from '../support/store-reads.ts'
import { writing } from '../support/writing.ts'
import type { Capabilities, OpenEmpty } from './store.ts'

export function maintenanceContract(open: OpenEmpty, can: Capabilities): void {
  function emptyFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'remindb-backup-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  test('only an engine with files is backed up, and never over a file', async () => {
    const { maintenance } = await open()
    expect(maintenance.files !== undefined).toBe(can.files)
    if (!maintenance.files) return
    const { backup } = maintenance.files
    const folder = emptyFolder()
    await backup(join(folder, 'copy'))
    await expect(backup(join(folder, 'copy'))).rejects.toMatchObject({ code: 'CONFLICT' })
    writeFileSync(join(folder, 'mine'), '')
    await expect(backup(join(folder, 'mine'))).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(readdirSync(folder).toSorted()).toEqual(['copy', 'mine'])
  })

  test('upkeep waits for a write in progress, and the next write for it', async () => {
    const { store, maintenance } = await open()
    const folder = emptyFolder()
    const started = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const adding = commit(store, async (tx) => {
      started.resolve()
      await goOn.promise
      return tx.state()
    })
    await started.promise
    const backup = maintenance.files?.backup(join(folder, 'copy'))
    const upkeep = Promise.all([backup, maintenance.scrub()])
    const next = commit(store, async () => 'next')
    goOn.resolve()
    await adding
    expect(await upkeep).toEqual([undefined, true])
    expect((await next).value).toBe('next')
  })

  test('tells how much room it takes', async () => {
    const { store, maintenance } = await open()
    await addDocument(store, note('n'), [], 'x'.repeat(1_000_000))
    expect(await maintenance.sizeBytes()).toBeGreaterThan(1_000_000)
  })

  test('closes after what is running, and refuses what comes later', async () => {
    const engine = await open()
    const adding = addDocument(engine.store, note('n'), [{ id: 'a', text: 'a' }])
    const reading = engine.store.read(async (tx) => [(await tx.state()).head, await rootsOf(tx)])
    await engine.close()
    await adding
    await reading
    await expect(engine.store.read((tx) => tx.state())).rejects.toThrow('closed')
    await expect(writing(engine.store, (tx) => tx.state())).rejects.toThrow('closed')
    await expect(engine.maintenance.scrub()).rejects.toThrow('closed')
    await engine.close()
  })
}
