import { printableJson } from '../../util/text/printable.ts'
import type { FileService } from './door.ts'
import { normalizePath } from './path.ts'

/** By language, not by code: `apple`, `Banana`, `cherry`. The same on every machine. */
const BY_NAME = new Intl.Collator('en')

export interface TreeBody {
  text: string
  isEmpty: boolean
}

/** The path, then one line for each entry directly below it, as many as fit into `maxChars`. */
export async function treeBody(
  service: Pick<FileService, 'list'>,
  path: string,
  maxChars: number,
): Promise<TreeBody> {
  const entries = await service.list(path)
  const lines = entries
    .sort((a, b) => BY_NAME.compare(a.name, b.name))
    .map(({ name, kind }) => `${kind === 'dir' ? '[D]' : '[F]'} ${name}`)
  return { text: fitLines(normalizePath(path), lines, maxChars), isEmpty: entries.length === 0 }
}

/** The last line counts entries that do not fit; if even that does not fit, the beginning of the first line is left. */
function fitLines(first: string, lines: readonly string[], maxChars: number): string {
  const whole = `${first}\n${lines.join('\n')}`
  if (whole.length <= maxChars) return whole
  let kept = 0
  for (let room = maxChars - first.length; kept < lines.length; kept++) {
    room -= (lines[kept] as string).length + 1
    if (room < restLine(lines.length - kept - 1).length) break
  }
  const cut = [first, ...lines.slice(0, kept)].join('\n') + restLine(lines.length - kept)
  return cut.length <= maxChars ? cut : first.slice(0, maxChars)
}

function restLine(missing: number): string {
  return `\n… ${missing} more`
}

/** One line for each file, by path; undefined if that is longer than `maxChars`. */
export async function fullBody(
  service: Pick<FileService, 'texts'>,
  maxChars: number,
): Promise<string | undefined> {
  const texts = await service.texts({ maxChars })
  const body = texts?.map(({ path, text }) => `${path}: ${printableJson(JSON.stringify(text))}`).join('\n')
  return body !== undefined && body.length > maxChars ? undefined : body
}
