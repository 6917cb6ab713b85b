import type { FilesEnvelope } from '../../core/observe/files.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { printable } from '../../util/text/printable.ts'
import { abbreviate, plural } from '../../util/text/units.ts'

type File = FilesEnvelope['roots'][number]['files'][number]

interface Folder {
  folders: Map<string, Folder>
  files: [name: string, file: File][]
}

interface Entry {
  name: string
  content: Folder | File
}

/** Every compile root with its folders and files. */
export function* filesLines({ roots }: FilesEnvelope, palette: Palette): Generator<string> {
  for (const [at, { root, files }] of roots.entries()) {
    if (at > 0) yield ''
    yield palette.bold(root === '' ? '(ungrouped)' : printable(root))
    // A document outside every root has a name, not a path.
    yield* folderLines(root === '' ? flatFolder(files) : toFolder(files), palette)
  }
}

function flatFolder(files: File[]): Folder {
  return { folders: new Map(), files: files.map((file) => [file.path, file]) }
}

function toFolder(files: File[]): Folder {
  const top: Folder = { folders: new Map(), files: [] }
  for (const file of files) {
    const names = file.path.split('/')
    const last = names.pop() ?? ''
    let folder = top
    for (const name of names) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), files: [] }
      folder.folders.set(name, inner)
      folder = inner
    }
    folder.files.push([last, file])
  }
  return top
}

function* folderLines(top: Folder, palette: Palette): Generator<string> {
  const waiting: { entry: Entry; prefix: string; isLast: boolean }[] = []
  const add = (folder: Folder, prefix: string): void => {
    const entries = entriesOf(folder)
    for (let at = entries.length - 1; at >= 0; at--)
      waiting.push({ entry: entries[at] as Entry, prefix, isLast: at === entries.length - 1 })
  }
  add(top, '')
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { entry, prefix, isLast } = next
    const line = `${palette.dim(`${prefix}${isLast ? '└─' : '├─'}`)} ${printable(entry.name)}`
    if ('folders' in entry.content) {
      yield `${line}/`
      add(entry.content, `${prefix}${isLast ? '   ' : '│  '}`)
    } else yield `${line} ${palette.dim(sizeOf(entry.content))}`
  }
}

function entriesOf({ folders, files }: Folder): Entry[] {
  return [
    ...[...folders].map(([name, content]) => ({ name, content })),
    ...files.map(([name, content]) => ({ name, content })),
  ]
}

function sizeOf({ nodes, tokens }: File): string {
  return `(${plural(nodes, 'node')}, ${abbreviate(tokens)} tok)`
}
