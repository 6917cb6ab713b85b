import { expect, test } from 'vitest'
import { idsOf } from '../../../test/support/agent-memory.ts'
import { openWorkspace, type Workspace } from '../../../test/support/engine.ts'
import type { Address } from '../model.ts'

const NOTES = '# Team\n\nAda leads.\n\n## Phones\n\nCall Kim.\n\nCall Lin.\n'

async function openNotes() {
  const at = await openWorkspace({ 'team.md': NOTES })
  return { at, address: await addressOf(at, 'team.md') }
}

async function addressOf({ memory }: Workspace, name: string): Promise<Address> {
  const [found] = await memory.findDocuments(name)
  return found?.address ?? expect.fail(`no document ${name}`)
}

/** `author #snapshot label`, one for each block. */
async function blamed({ memory }: Workspace, document: Address): Promise<string[]> {
  const { items } = await memory.blame({ document })
  return items.map(({ label, snapshot }) => `${snapshot?.author} #${snapshot?.id} ${label}`)
}

test('blame names who last changed what each block says, in document order', async () => {
  const { at, address } = await openNotes()
  await using _ = at
  const { 'Ada leads.': ada = '' } = await idsOf(at.memory)
  await at.memory.by('bob').write({ anchor: ada, payload: 'Bob leads.' })
  at.file('team.md', NOTES.replace('Call Lin.', 'Call Mia.\n\nCall Noa.'))
  await at.memory.by('carol').compile(at.folder)
  expect(await blamed(at, address)).toEqual([
    'library #1 Team',
    'bob #2 Bob leads.',
    'library #1 Phones',
    'library #1 Call Kim.',
    'carol #3 Call Mia.',
    'carol #3 Call Noa.',
  ])
})

test('a block that was only moved keeps the author of its text', async () => {
  const { at, address } = await openNotes()
  await using _ = at
  at.file('team.md', '# Team\n\nAda leads.\n\nCall Kim.\n\n## Phones\n\nCall Lin.\n')
  await at.memory.by('mover').compile(at.folder)
  expect((await at.memory.snapshots()).map(({ author }) => author)).toEqual(['mover', 'library'])
  expect(await blamed(at, address)).toEqual([
    'library #1 Team',
    'library #1 Ada leads.',
    'library #1 Call Kim.',
    'library #1 Phones',
    'library #1 Call Lin.',
  ])
})

test('blame follows a renamed file, and a text that came back belongs to who brought it back', async () => {
  const { at } = await openNotes()
  await using _ = at
  at.remove('team.md')
  at.file('people/staff.md', NOTES)
  await at.memory.by('mover').compile(at.folder)
  const address = await addressOf(at, 'people/staff.md')
  for (const line of await blamed(at, address)) expect(line).toMatch(/^library #1 /)
  const { 'Ada leads.': ada = '' } = await idsOf(at.memory)
  await at.memory.by('bob').write({ anchor: ada, payload: 'Bob leads.' })
  await at.memory.by('carol').rollback({ snapshotId: 1 })
  const [, leads] = await blamed(at, address)
  expect(leads).toMatch(/^carol #\d Ada leads\.$/)
})

test('pages of blame that follow each other show each block once, without notes below it', async () => {
  const { at, address } = await openNotes()
  await using _ = at
  const { Team = '', Phones = '' } = await idsOf(at.memory)
  for (const parent of [Team, Phones]) await at.memory.write({ payload: 'A note.', parent })
  const whole = (await at.memory.blame({ document: address })).items
  expect(whole.map(({ depth, type }) => `${depth} ${type}`)).toEqual([
    ...['0 heading', '1 text', '1 heading', '2 text', '2 text'],
  ])
  for (const limit of [1, 2, 3, 5]) {
    const seen: object[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const page = await at.memory.blame({ document: address, limit, ...(after && { after }) })
      seen.push(...page.items)
      after = page.next
    }
    expect(seen.map((one) => (one as { id: string }).id)).toEqual(whole.map(({ id }) => id))
  }
})

test('blame as of a moment shows who had changed what by then, under the names of then', async () => {
  const { at } = await openNotes()
  await using _ = at
  const { 'Ada leads.': ada = '' } = await idsOf(at.memory)
  await at.memory.by('bob').write({ anchor: ada, payload: 'Bob leads.' })
  await at.memory.by('carol').write({ anchor: ada, payload: 'Carol leads.' })
  at.file('staff.md', NOTES)
  at.remove('team.md')
  await at.memory.compile(at.folder)
  const [then] = await at.memory.findDocuments('team.md', { asOf: 2 })
  const { items, readAt } = await at.memory.blame({ document: then?.address as Address, asOf: 2 })
  expect(items.map(({ label, snapshot }) => `${snapshot?.author} ${label}`)).toEqual([
    ...['library Team', 'bob Bob leads.', 'library Phones', 'library Call Kim.', 'library Call Lin.'],
  ])
  expect(readAt?.id).toBe(2)
})

test('blame refuses what is no live document, and a limit of nothing', async () => {
  const { at, address } = await openNotes()
  await using _ = at
  await expect(at.memory.blame({ document: { kind: 'key', key: 'none' } })).rejects.toThrow(
    'not in the memory',
  )
  await expect(at.memory.blame({ document: {} as never })).rejects.toThrow('a document is named by')
  await expect(at.memory.blame({ document: address, limit: 0 })).rejects.toThrow('limit must be')
  await at.memory.erase(address)
  await expect(at.memory.blame({ document: address })).rejects.toThrow('not in the memory')
})
