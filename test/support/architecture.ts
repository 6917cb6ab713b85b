import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAst } from 'vitest/node'

/** Path from the repository's root, with `/`, to the file's text. */
export type Sources = ReadonlyMap<string, string>
type Syntax = { type: string } & Record<string, unknown>
interface Import {
  specifier: string
  /** The file in the repository it names; undefined for a package. */
  target: string | undefined
}

export const MOVE = 'move the code — do not add an exception'
const CORE_PACKAGES = ['fractional-indexing']
const MAX_LINES = 400
const MAX_ROOM = 30
const LONG_FILE_REASON = /^(\/\/|\/\*\*?) ?Over 400 lines: \S+/
const TEST_FUNCTIONS = ['describe', 'it', 'suite', 'test']
const TEST_FLAGS = ['only', 'skip', 'todo']

const RANKS = { util: 0, core: 1, adapter: 2, runtime: 3, entry: 4, cli: 4, testing: 4 }
interface Place {
  level: keyof typeof RANKS
  /** What may not import its neighbours of the same level: an adapter, a store's engine. */
  part: string
}

function placeOf(path: string): Place | undefined {
  const [, folder = '', inner = '', ...rest] = path.split('/')
  if (path === 'src/index.ts') return { level: 'entry', part: 'index' }
  if (inner === '') return undefined
  if (folder === 'store') return { level: 'adapter', part: rest.length > 0 ? `store/${inner}` : 'store' }
  if (['ingest', 'embed', 'mcp', 'http'].includes(folder)) return { level: 'adapter', part: folder }
  if (['util', 'core', 'runtime', 'cli', 'testing'].includes(folder))
    return { level: folder as Place['level'], part: folder }
  return undefined
}

const parsed = new Map<string, Syntax>()
function parse(path: string, text: string): Syntax {
  const key = `${path}\0${text}`
  const known = parsed.get(key) ?? (parseAst(text, { lang: 'ts' }, path) as unknown as Syntax)
  parsed.set(key, known)
  return known
}

function visit(node: unknown, see: (node: Syntax) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, see)
  else if (isSyntax(node)) {
    see(node)
    for (const child of Object.values(node)) visit(child, see)
  }
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string'
}

/** Every import, re-export, dynamic import, `require`, type import and worker URL with a literal specifier. */
function importsOf(path: string, text: string): Import[] {
  const imports: Import[] = []
  visit(parse(path, text), (node) => {
    const specifier = specifierOf(node)
    if (specifier === undefined) return
    const target = /^\.\.?\//.test(specifier) ? posix.join(posix.dirname(path), specifier) : undefined
    imports.push({ specifier, target })
  })
  return imports
}

function specifierOf(node: Syntax): string | undefined {
  const [first] = (node.arguments ?? []) as unknown[]
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return textOf(node.source)
    case 'TSExternalModuleReference':
      return textOf(node.expression)
    case 'CallExpression':
      return isNamed(node.callee, 'require') ? textOf(first) : undefined
    case 'NewExpression': {
      const text = isNamed(node.callee, 'URL') ? textOf(first) : undefined
      return text && /^\.\.?\/.*\.[jt]s$/.test(text) ? text : undefined
    }
    default:
      return undefined
  }
}

function textOf(node: unknown): string | undefined {
  if (!isSyntax(node)) return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  const [only, more] = (node.quasis ?? []) as { value: { cooked: string } }[]
  return node.type === 'TemplateLiteral' && !more ? only?.value.cooked : undefined
}

function isNamed(node: unknown, name: string): boolean {
  return isSyntax(node) && node.type === 'Identifier' && node.name === name
}

function isTest(path: string): boolean {
  return path.startsWith('test/') || path.endsWith('.test.ts')
}

export function isProgram(path: string): boolean {
  return path.startsWith('src/') && path.endsWith('.ts') && !isTest(path)
}

function importMap(sources: Sources): Map<string, Import[]> {
  const programs = [...sources].filter(([path]) => isProgram(path))
  return new Map(programs.map(([path, text]) => [path, importsOf(path, text)]))
}

export function checkDirection(sources: Sources): string[] {
  const breaches: string[] = []
  for (const [path, imports] of importMap(sources)) {
    const from = placeOf(path)
    if (!from) breaches.push(`${path} is in no known layer; ${MOVE}`)
    for (const { specifier, target } of imports) {
      if (!from || target === undefined) continue
      const to = placeOf(target)
      if (!to) breaches.push(`${path} imports ${specifier}, which is in no layer of src/; ${MOVE}`)
      else if (!mayImport(from, to))
        breaches.push(`${path} (${from.part}) may not import ${target} (${to.part}); ${MOVE}`)
    }
  }
  return breaches
}

function mayImport(from: Place, to: Place): boolean {
  if (from.part === to.part) return true
  if (RANKS[to.level] < RANKS[from.level]) return true
  return to.part === 'store' && from.part.startsWith('store/')
}

export function checkCore(sources: Sources): string[] {
  const core = [...importMap(sources)].filter(([path]) => path.startsWith('src/core/'))
  return core.flatMap(([path, imports]) =>
    imports
      .filter(({ specifier, target }) => target === undefined && !CORE_PACKAGES.includes(specifier))
      .map(
        ({ specifier }) => `${path} imports ${specifier}, and core is pure: take it as an argument; ${MOVE}`,
      ),
  )
}

export function checkSqlite(sources: Sources): string[] {
  return [...importMap(sources)].flatMap(([path, imports]) => {
    if (path.startsWith('src/store/sqlite/')) return []
    return imports
      .filter(({ specifier, target }) => /sqlite/i.test(target ?? specifier))
      .filter(({ target }) => target === undefined || !path.startsWith('src/runtime/'))
      .map(({ specifier }) => `${path} imports ${specifier}: only runtime opens the SQLite store; ${MOVE}`)
  })
}

/** A room is one folder without its subfolders: files of the program in it, and the rooms that they import. */
function roomsOf(sources: Sources): Map<string, { files: number; imports: Set<string> }> {
  const rooms = new Map<string, { files: number; imports: Set<string> }>()
  for (const [path, imports] of importMap(sources)) {
    const name = posix.dirname(path)
    const room = rooms.get(name) ?? { files: 0, imports: new Set() }
    rooms.set(name, room)
    room.files++
    for (const { target } of imports)
      if (target && posix.dirname(target) !== name) room.imports.add(posix.dirname(target))
  }
  return rooms
}

export function checkRoomSize(sources: Sources): string[] {
  return [...roomsOf(sources)]
    .filter(([, { files }]) => files > MAX_ROOM)
    .map(([name, { files }]) => `${name} has ${files} files, more than ${MAX_ROOM}: make two rooms of it`)
}

export function checkRoomCycles(sources: Sources): string[] {
  const rooms = roomsOf(sources)
  return cyclesIn(new Map([...rooms].map(([name, { imports }]) => [name, [...imports]]))).map(
    (cycle) => `${cycle} is a cycle of rooms: put what both need into a third; ${MOVE}`,
  )
}

/** The README.md of a room says what it is for, and which rooms it imports. */
export function checkRoomHeaders(sources: Sources): string[] {
  return [...roomsOf(sources)].flatMap(([name, { imports }]) => {
    if (name === 'src') return []
    const wanted = importLine([...imports])
    const header = sources.get(`${name}/README.md`)
    if (!header) return [`${name} has no README.md: one line on what it is for, a blank one, and "${wanted}"`]
    return header.trimEnd().endsWith(`\n\n${wanted}`) ? [] : [`${name}/README.md must end with "${wanted}"`]
  })
}

function importLine(rooms: string[]): string {
  const names = rooms
    .map((room) => room.replace('src/', ''))
    .sort()
    .map((room) => `\`${room}\``)
  return `Imports ${names.length === 0 ? 'nothing' : names.join(', ')}.`
}

export function checkCycles(sources: Sources): string[] {
  const imports = importMap(sources)
  const targets = [...imports].map(([path, all]): [string, string[]] => [
    path,
    all.flatMap(({ target }) => (target ? [target] : [])),
  ])
  return cyclesIn(new Map(targets)).map(
    (cycle) => `${cycle} is a cycle: put what both need into a third file; ${MOVE}`,
  )
}

function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const follow = (name: string, trail: string[]): void => {
    const start = trail.indexOf(name)
    if (start >= 0) cycles.push([...trail.slice(start), name].join(' → '))
    if (start >= 0 || done.has(name)) return
    for (const target of graph.get(name) ?? []) if (graph.has(target)) follow(target, [...trail, name])
    done.add(name)
  }
  for (const name of graph.keys()) follow(name, [])
  return cycles
}

export function checkEnvironment(sources: Sources): string[] {
  const breaches = new Set<string>()
  for (const [path, text] of sources) {
    if (!isProgram(path) || /^src\/runtime\/settings\/config[^/]*\.ts$/.test(path)) continue
    visit(parse(path, text), (node) => {
      if (readsEnvironment(node))
        breaches.add(
          `${path} reads process.env: name the setting in src/runtime/settings/config.ts and pass its value in`,
        )
    })
  }
  return [...breaches]
}

function readsEnvironment(node: Syntax): boolean {
  if (node.type === 'MemberExpression') return isProcess(node.object) && nameOf(node) === 'env'
  if (node.type === 'VariableDeclarator')
    return isProcess(node.init) && propertiesOf(node.id).some((name) => name === 'env')
  if (node.type !== 'ImportDeclaration' || !['process', 'node:process'].includes(textOf(node.source) ?? ''))
    return false
  return (node.specifiers as Syntax[]).some((one) => isNamed(one.imported, 'env'))
}

function isProcess(node: unknown): boolean {
  return isNamed(node, 'process') || (isSyntax(node) && nameOf(node) === 'process')
}

/** `b` of `a.b` and of `a['b']`. */
function nameOf(member: Syntax): string | undefined {
  if (member.type !== 'MemberExpression' || !isSyntax(member.property)) return undefined
  return member.computed ? textOf(member.property) : (member.property.name as string)
}

function propertiesOf(node: unknown): (string | undefined)[] {
  const properties = isSyntax(node) ? ((node.properties ?? []) as Syntax[]) : []
  return properties.map(({ key }) => (isSyntax(key) ? ((key.name as string) ?? textOf(key)) : undefined))
}

export function checkLength(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const lines = text.trimEnd().split('\n').length
    if (!path.startsWith('src/') || lines <= MAX_LINES || LONG_FILE_REASON.test(text)) return []
    return [
      `${path} has ${lines} lines: split it, or open it with "// Over 400 lines: <why it stays one file>"`,
    ]
  })
}

export function checkTestFlags(sources: Sources): string[] {
  const breaches: string[] = []
  for (const [path, text] of sources) {
    if (!isTest(path)) continue
    visit(parse(path, text), (node) => {
      const flag = testFlagOf(node)
      if (flag) breaches.push(`${path} has a test marked "${flag}": make it pass, or delete it`)
    })
  }
  return breaches
}

/** `only` of `test.concurrent.only`, of `it['only']` and of `test('…', { only: true }, …)`. */
function testFlagOf(node: Syntax): string | undefined {
  const isFlag = (name: string | undefined): boolean => name !== undefined && TEST_FLAGS.includes(name)
  if (node.type === 'MemberExpression' && isFlag(nameOf(node)) && isTestFunction(node.object))
    return nameOf(node)
  if (node.type !== 'CallExpression' || !isTestFunction(node.callee)) return undefined
  return (node.arguments as unknown[]).flatMap(propertiesOf).find(isFlag)
}

function isTestFunction(node: unknown): boolean {
  if (!isSyntax(node)) return false
  if (node.type === 'MemberExpression') return isTestFunction(node.object)
  return TEST_FUNCTIONS.some((name) => isNamed(node, name))
}

export const CHECKS = {
  'imports point downwards': checkDirection,
  'core imports nothing from outside': checkCore,
  'only the SQLite store and runtime know SQLite': checkSqlite,
  'no file imports itself through others': checkCycles,
  'no room has too many files': checkRoomSize,
  'no room imports itself through others': checkRoomCycles,
  'every room says what it is for and what it imports': checkRoomHeaders,
  'only the settings read the environment': checkEnvironment,
  'no file is too long without a reason': checkLength,
  'no test is switched off or singled out': checkTestFlags,
}

export function readRepository(): Sources {
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') || (folder === 'src' && path.endsWith('README.md')))
      .map((path) => posix.join(folder, path.replaceAll('\\', '/'))),
  )
  return new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}
