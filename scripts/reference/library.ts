import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { code, type GeneratedTable } from './table.ts'

const SOURCES = join(import.meta.dirname, '..', '..', 'src')

/** Every exported name, with the first sentence of the comment above its declaration. */
export function libraryTables(): GeneratedTable[] {
  const index = readFileSync(join(SOURCES, 'index.ts'), 'utf8')
  const exported = [...index.matchAll(/export (type )?\{([^}]*)\} from '\.\/([^']+)'/g)].flatMap(
    ([, isType, names = '', file = '']) =>
      namesIn(names).map((name) => ({ ...name, isType: isType !== undefined || name.isType, file })),
  )
  const rows = exported.map(({ name, isType, file }) => {
    const { source, declaration } = declarationOf(name, join(SOURCES, file))
    return [code(name), isType ? 'type' : kindOf(declaration), aboutOf(source.slice(0, declaration.index))]
  })
  rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return [{ heading: 'Exported names', columns: ['name', 'kind', 'what'], rows }]
}

function namesIn(list: string): { name: string; isType: boolean }[] {
  const parts = list.split(',').map((part) => part.trim())
  return parts
    .filter((part) => part !== '')
    .map((part) => ({ name: part.replace(/^type /, ''), isType: part.startsWith('type ') }))
}

/** In the file that is named, or in one that it passes on. */
function declarationOf(name: string, file: string): { source: string; declaration: RegExpExecArray } {
  const source = readFileSync(file, 'utf8')
  const pattern = new RegExp(`^export (?:async )?(interface|type|function|const|class) ${name}\\b`, 'm')
  const declaration = pattern.exec(source)
  if (declaration) return { source, declaration }
  for (const [, names, from = ''] of source.matchAll(/export (?:type )?(?:\{([^}]*)\}|\*) from '([^']+)'/g))
    if (names === undefined || namesIn(names).some((one) => one.name === name))
      return declarationOf(name, join(dirname(file), from))
  throw new Error(`${name} is exported by src/index.ts but not declared where it says`)
}

function kindOf([, word = '']: RegExpExecArray): string {
  return word === 'interface' ? 'type' : word
}

function aboutOf(before: string): string {
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before) ?? []
  const text = comment
    .replaceAll(/^\s*\* ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const [sentence = ''] = /^.*?[.:](?=\s|$)/.exec(text) ?? [text]
  return sentence.replace(/[.:]$/, '')
}
