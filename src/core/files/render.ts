import { printableJson } from '../../util/terminal-text.ts'
import { normalizePath } from './path.ts'
import type { FileService } from './service.ts'

/** By language, not by code: `apple`, `Banana`, `cherry`. Always the same one, wherever it runs. */
const BY_NAME = new Intl.Collator('en')

export interface TreeBody {
  text: string
  isEmpty: boolean
}

/** The path, then one line for each of what is right below it. */
export async function treeBody(service: Pick<FileService, 'list'>, path: string): Promise<TreeBody> {
  const entries = await service.list(path)
  const lines = entries
    .sort((a, b) => BY_NAME.compare(a.name, b.name))
    .map(({ name, kind }) => `${kind === 'dir' ? '[D]' : '[F]'} ${name}`)
  return { text: `${normalizePath(path)}\n${lines.join('\n')}`, isEmpty: entries.length === 0 }
}

/** One line for each file, by path; undefined where that is longer than `maxChars`. */
export async function fullBody(
  service: Pick<FileService, 'texts'>,
  maxChars: number,
): Promise<string | undefined> {
  const texts = await service.texts({ maxChars })
  const body = texts?.map(({ path, text }) => `${path}: ${printableJson(JSON.stringify(text))}`).join('\n')
  return body !== undefined && body.length > maxChars ? undefined : body
}
