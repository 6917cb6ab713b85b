import type { DoorHead } from '../port/doors.ts'
import type { ReadTx, Store } from '../port/store.ts'
import { totalOf } from '../write/documents.ts'
import { below, pathOf } from './document.ts'
import type { FileMemory } from './model.ts'
import { ROOT_PATH } from './path.ts'

const PAGE = 64
/** The characters around a path and a text on a line: `: ""` and the line end. */
const AROUND = 5
/** The maximum UTF-8 bytes of one UTF-16 unit. */
const MOST_BYTES = 3

export interface PathAndText {
  path: string
  text: string
}

/**
 * Every file with its text, by path; undefined if their lines would certainly be longer than `maxChars`. That follows
 * from their sizes: no text is read to find out that it is too long.
 */
export async function listTexts(
  store: Pick<Store, 'read'>,
  memory: FileMemory,
  { maxChars }: { maxChars: number },
): Promise<PathAndText[] | undefined> {
  return store.read(async (tx) => {
    if (!(await canFit(tx, memory, maxChars))) return undefined
    const page = { sort: [{ by: 'name' as const }], limit: Number.MAX_SAFE_INTEGER }
    const documents = await tx.documents(filesOf(memory), 'whole', page)
    return documents.map((document) => ({ path: pathOf(document), text: document.text ?? '' }))
  })
}

async function canFit(tx: ReadTx, memory: FileMemory, maxChars: number): Promise<boolean> {
  let least = -1
  for (let name = ''; ; ) {
    const query = { ...filesOf(memory), ...(name !== '' && { after: { name } }) }
    const page = await tx.documents(query, 'head', { sort: [{ by: 'name' }], limit: PAGE })
    for (const head of page) least += pathOf(head).length + AROUND
    const ids = page.map(({ id }) => id)
    if (least <= maxChars) least += (await totalOf(tx, { ids }, { bytes: true })).bytes / MOST_BYTES
    if (least > maxChars) return false
    if (page.length < PAGE) return true
    name = pathOf(page.at(-1) as DoorHead)
  }
}

function filesOf(memory: FileMemory) {
  return { ...below(memory, ROOT_PATH), where: [{ attribute: 'folder', in: [null] }] } as const
}
