import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import MarkdownIt, { type Token } from 'markdown-it'
import { PROGRAM } from './cli.ts'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** Path from the repository's root, with `/`, to the page's text. */
export type Pages = ReadonlyMap<string, string>

export interface Heading {
  level: number
  text: string
  /** As in links: `#slug`. */
  slug: string
  line: number
}
export interface Fence {
  info: string
  content: string
  line: number
}
export interface Page {
  headings: Heading[]
  fences: Fence[]
  links: { href: string; line: number }[]
  /** What stands in backticks in running text and tables. */
  codes: { content: string; line: number }[]
  tables: { rows: string[][]; line: number }[]
}

/** What the program knows of a command. */
export interface KnownCommand {
  name: string
  /** With their dashes, the short ones too. */
  flags: string[]
}

const markdown = new MarkdownIt({ html: true })

/** The pages of the root and of `docs/`. */
export function readPages(root = ROOT): Map<string, string> {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name}`,
  )
  const paths = [...readdirSync(root), ...below.map((path) => path.replaceAll(sep, '/'))]
  const pages = paths.filter((path) => path.endsWith('.md') && !path.startsWith('docs/.remindb')).sort()
  return new Map(pages.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

export function parsePage(text: string): Page {
  const page: Page = { headings: [], fences: [], links: [], codes: [], tables: [] }
  const tokens = markdown.parse(text, {})
  const slugs = new Map<string, number>()
  let cell: string[] | undefined
  let line = 1
  for (const [at, token] of tokens.entries()) {
    line = token.map ? token.map[0] + 1 : line
    if (token.type === 'heading_open') page.headings.push(headingOf(token, tokens[at + 1], slugs, line))
    else if (token.type === 'fence')
      page.fences.push({ info: token.info.trim(), content: token.content, line })
    else if (token.type === 'table_open') page.tables.push({ rows: [], line })
    else if (token.type === 'tr_open') {
      cell = []
      page.tables.at(-1)?.rows.push(cell)
    } else if (token.type === 'inline') {
      if (/^t[hd]_open$/.test(tokens[at - 1]?.type ?? '')) cell?.push(plainText(token))
      collectInline(page, token, line)
    }
  }
  return page
}

function headingOf(
  open: Token,
  inline: Token | undefined,
  slugs: Map<string, number>,
  line: number,
): Heading {
  const text = inline ? plainText(inline) : ''
  const base = slugOf(text)
  const seen = slugs.get(base) ?? 0
  slugs.set(base, seen + 1)
  return { level: Number(open.tag.slice(1)), text, slug: seen === 0 ? base : `${base}-${seen}`, line }
}

/** The rule of the places where these pages are read. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

function plainText(inline: Token): string {
  return (inline.children ?? []).map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('')
}

function collectInline(page: Page, inline: Token, line: number): void {
  for (const child of inline.children ?? []) {
    if (child.type === 'code_inline') page.codes.push({ content: child.content, line })
    const href = child.attrGet('href') ?? child.attrGet('src')
    if (href !== null && child.nesting >= 0) page.links.push({ href: String(href), line })
  }
}

/** The headings of one level below the heading `under`; of the whole page without one. */
export function headingsUnder(page: Page, level: number, under?: string): string[] {
  const start = page.headings.findIndex((heading) => heading.text === under)
  if (under !== undefined && start < 0) return []
  const parent = page.headings[start]
  const rest = page.headings.slice(start + 1)
  const end = parent ? rest.findIndex((heading) => heading.level <= parent.level) : -1
  const inside = end < 0 ? rest : rest.slice(0, end)
  return inside.filter((heading) => heading.level === level).map((heading) => heading.text)
}

/** Body rows of the first table between a heading and the next one. */
export function tableUnder(page: Page, under: string): string[][] {
  const at = page.headings.findIndex((heading) => heading.text === under)
  const start = page.headings[at]?.line ?? Number.POSITIVE_INFINITY
  const end = page.headings[at + 1]?.line ?? Number.POSITIVE_INFINITY
  const table = page.tables.find(({ line }) => line > start && line < end)
  return table?.rows.slice(1) ?? []
}

/** Says for both sides what the other lacks. */
export function compareNames(
  what: string,
  documented: readonly string[],
  existing: readonly string[],
): string[] {
  const missing = existing.filter((name) => !documented.includes(name))
  const extra = documented.filter((name) => !existing.includes(name))
  return [
    ...missing.map((name) => `${what} ${name} has no place in the docs; write it`),
    ...extra.map((name) => `${what} ${name} is documented but does not exist; remove it`),
  ]
}

/** Relative links whose file or anchor is not there. `exists` is asked for paths from the repository's root. */
export function checkLinks(pages: Pages, exists: (path: string) => boolean): string[] {
  const parsed = new Map([...pages].map(([path, text]) => [path, parsePage(text)]))
  const problems: string[] = []
  for (const [path, { links }] of parsed) {
    for (const { href, line } of links) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(href)) continue
      const [file = '', anchor] = decodeURI(href).split('#')
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      const slugs = parsed.get(target)?.headings.map((heading) => heading.slug)
      if (!slugs && (anchor !== undefined || !exists(target)))
        problems.push(`${path}:${line}: ${href} leads nowhere`)
      else if (anchor !== undefined && !slugs?.includes(anchor))
        problems.push(`${path}:${line}: ${href} names a heading that is not there`)
    }
  }
  return problems
}

/** Every use of the program, in shell blocks and in backticks, names a command and flags that exist. */
export function checkUses(pages: Pages, commands: readonly KnownCommand[]): string[] {
  return [...pages].flatMap(([path, text]) => {
    const { fences, codes } = parsePage(text)
    const shell = fences
      .filter(({ info }) => /^(sh|console)\b/.test(info))
      .flatMap(({ content, line }) =>
        content.split('\n').map((code, at) => ({ content: code, line: line + 1 + at })),
      )
    return [...shell, ...codes].flatMap(({ content, line }) =>
      problemsOfUse(content, commands).map((problem) => `${path}:${line}: ${problem}`),
    )
  })
}

export function problemsOfUse(code: string, commands: readonly KnownCommand[]): string[] {
  const words = code.replace(/(^|\s)#.*$/, '').match(/"[^"]*"|\S+/g) ?? []
  const start = words[0] === '$' ? 1 : 0
  if (!/^(\S*\/)?remindb$/.test(words[start] ?? '')) return []
  const [name = '', ...args] = words.slice(start + 1)
  if (name === '' || name.startsWith('<')) return []
  const find = (wanted: string) => commands.find((known) => known.name === wanted)
  const command = find(`${name} ${args[0]}`) ?? find(name)
  const known = command?.flags ?? commands.flatMap(({ flags }) => flags)
  const flags = [name, ...args]
    .filter((word) => /^--?[a-z]/i.test(word))
    .map((word) => word.replace(/=.*$/, ''))
  return [
    ...(command || name.startsWith('-') ? [] : [`there is no command ${name}`]),
    ...flags.filter((flag) => !known.includes(flag)).map((flag) => `${name} has no flag ${flag}`),
  ]
}

export interface Snippet {
  /** A file name that tells where it is from. */
  name: string
  code: string
  /** Marked `run`: its output is the `text` block that follows, if one does. */
  runs: boolean
  output: string | undefined
}

export function listSnippets(pages: Pages): Snippet[] {
  return [...pages].flatMap(([path, text]) => {
    const { fences } = parsePage(text)
    return fences.flatMap(({ info, content, line }, at) => {
      const [language, ...marks] = info.split(' ')
      if (language !== 'ts') return []
      const next = fences[at + 1]
      const runs = marks.includes('run')
      const output = runs && next?.info === 'text' ? next.content : undefined
      return [{ name: `${path.replaceAll(/[/.]/g, '-')}-${line}.ts`, code: content, runs, output }]
    })
  })
}

/** Type-checks all snippets in one run; the compiler's complaints, one a line. */
export function typeCheck(folder: string, snippets: readonly Snippet[]): string[] {
  mkdirSync(folder, { recursive: true })
  for (const { name, code } of snippets) writeFileSync(join(folder, name), `${code}\nexport {}\n`)
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noUnusedLocals: false,
      typeRoots: [join(ROOT, 'node_modules', '@types')],
      paths: { remindb: [join(ROOT, 'src', 'index.ts')] },
    },
    include: [join(ROOT, 'src', '**', '*.d.ts')],
    files: snippets.map(({ name }) => join(folder, name)),
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const run = spawnSync(process.execPath, [tsc, '-p', join(folder, 'tsconfig.json'), '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  const complaints = `${run.stdout}${run.stderr}`.split('\n').filter((line) => line.trim() !== '')
  return run.status === 0 ? [] : complaints.length > 0 ? complaints : [`tsc ended with ${run.status}`]
}

/** Runs a snippet on this Node, with the library in place of the package. */
export function runSnippet(
  folder: string,
  { name, code }: Snippet,
): { stdout: string; stderr: string; status: number | null } {
  mkdirSync(folder, { recursive: true })
  const library = JSON.stringify(join(ROOT, 'src', 'index.ts'))
  const file = join(folder, name)
  writeFileSync(file, code.replaceAll(/(?<=from )'remindb'/g, library))
  const env = { ...ownEnvironment(), TMPDIR: folder }
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], {
    cwd: folder,
    encoding: 'utf8',
    env,
  })
  return { stdout, stderr, status }
}

/** The console blocks of all pages: lines with `$ ` are typed, the others are answers. */
export function listTranscripts(pages: Pages): { name: string; transcript: string }[] {
  return [...pages].flatMap(([path, text]) =>
    parsePage(text)
      .fences.filter(({ info }) => info === 'console')
      .map(({ content, line }) => ({ name: `${path}:${line}`, transcript: content })),
  )
}

/** Types a transcript's commands again, in an empty folder, and gives the transcript that comes of it. The program must be built. */
export function replay(folder: string, transcript: string): string {
  const bin = join(folder, 'bin')
  const cwd = join(folder, 'here')
  for (const path of [bin, cwd]) mkdirSync(path, { recursive: true })
  const program = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`
  writeFileSync(join(bin, 'remindb'), program, { mode: 0o755 })
  const env = { ...ownEnvironment(), PATH: `${bin}${delimiter}${process.env.PATH}` }
  const typed = transcript.split('\n').filter((line) => line.startsWith('$ '))
  return typed
    .map((line) => {
      const { stdout, stderr } = spawnSync('sh', ['-c', line.slice(2)], { cwd, env, encoding: 'utf8' })
      return `${line}\n${stdout}${stderr}`
    })
    .join('')
}

/** Without the settings of whoever runs the tests. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean => name.startsWith('REMINDB_') || name === 'FORCE_COLOR'
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)))
}
