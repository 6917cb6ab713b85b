import { dirname, join } from 'node:path'
import createIgnore from 'ignore'
import { MemoryError } from '../core/errors.ts'
import { findOutOfFiles } from '../core/open-files.ts'
import { readSmallFile } from '../util/files/small-file.ts'
import { quoted } from '../util/text/quoted.ts'

export const IGNORE_FILE = '.remindb/ignore'

/** The line of the ignore file that leaves out a path below the root; undefined when none does. Folders end in `/`. */
export type FindRule = (path: string) => number | undefined

/** The rules of a compile root. Throws when there is something in the file that means nothing. */
export function readIgnoreFile(root: string): FindRule {
  const text = readText(join(root, IGNORE_FILE))
  return text === undefined ? () => undefined : parseIgnoreFile(text)
}

/** Names differ in case on Linux; elsewhere `Notes` and `notes` are one folder. */
const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin'

/** Every path is compared with each: the file may come from a stranger. */
const MAX_RULES = 5000
/** Each of them multiplies the ways to match a pattern against a deep path. */
const MAX_ANY_DEPTH = 2

/** The grammar of `.gitignore`, and comments after a pattern. */
export function parseIgnoreFile(text: string): FindRule {
  const rules = createIgnore({ ignorecase: IGNORES_CASE })
  let count = 0
  for (const [at, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const pattern = patternOf(line)
    if (pattern === '') continue
    const refusal = refusalOf(pattern)
    if (refusal) throw badPattern(at + 1, pattern, refusal)
    rules.add({ pattern, mark: String(at + 1) })
    if (++count > MAX_RULES) throw tooManyRules()
  }
  if (count === 0) return () => undefined
  return (path) => {
    const { rule } = rules.test(path)
    return rule && Number(rule.mark)
  }
}

function tooManyRules(): MemoryError {
  const message = `${IGNORE_FILE} has more than ${MAX_RULES} patterns; name folders instead of files`
  return new MemoryError('INVALID_INPUT', message)
}

function readText(file: string): string | undefined {
  try {
    return readSmallFile(file, { within: dirname(file) })
  } catch (error) {
    const outOfFiles = findOutOfFiles((error as Error).cause)
    if (outOfFiles) throw outOfFiles
    const message = `${IGNORE_FILE} ${(error as Error).message}; ignored files are unknown: repair or remove it`
    throw new MemoryError('INVALID_INPUT', message, { cause: error })
  }
}

/** Without the comment and the white space around it; a quoted space at the end stays. */
function patternOf(line: string): string {
  const pattern = line.replace(/(^|\s)#.*$/s, '$1').trimStart()
  const end = pattern.trimEnd()
  const quotes = /\\*$/.exec(end)?.[0].length ?? 0
  return quotes % 2 === 1 && pattern.length > end.length ? `${end} ` : end
}

/** The problem of a pattern that would otherwise silently match nothing. */
function refusalOf(pattern: string): string | undefined {
  const body = pattern.replace(/^!/, '')
  if (/^\/?$/.test(body)) return 'is empty; name a file or folder'
  if (body.includes('//')) return 'has two slashes in a row; write one'
  if ((body.match(/\*{2,}/g)?.length ?? 0) > MAX_ANY_DEPTH)
    return `has more than ${MAX_ANY_DEPTH} "**"; write two patterns, or a shorter one`
  return hasWholeGlobs(body.replace(/\/$/, ''))
    ? undefined
    : 'has a [ that is not closed, or ends in a backslash; put a backslash before either'
}

/** Whether every escape is complete, and every class is closed. */
function hasWholeGlobs(glob: string): boolean {
  let at = 0
  while (at < glob.length) {
    if (glob[at] === '\\') at += 2
    else if (glob[at] === '[') at = endOfClass(glob, at)
    else at++
  }
  return at === glob.length
}

const CLASS = /\[(?:[!^]|(?![!^]))(?:\[:[^\]]*:\]|\\.|[^\\])(?:\[:[^\]]*:\]|\\.|[^\\\]])*\]/y
const CLASS_NAME = /\[:([^\]]*):\]/g
const CLASS_NAMES = new Set(
  'alnum alpha blank cntrl digit graph lower print punct space upper xdigit'.split(' '),
)

/** Behind the class that begins at `start`; infinite when nothing closes it. Its first character never does. */
function endOfClass(glob: string, start: number): number {
  CLASS.lastIndex = start
  const [found] = CLASS.exec(glob) ?? []
  const names = [...(found?.matchAll(CLASS_NAME) ?? [])].map(([, name = '']) => name)
  const isWhole = found !== undefined && names.every((name) => CLASS_NAMES.has(name))
  return isWhole ? start + found.length : Number.POSITIVE_INFINITY
}

function badPattern(line: number, pattern: string, refusal: string): MemoryError {
  return new MemoryError(
    'INVALID_INPUT',
    `${IGNORE_FILE} line ${line}: the pattern ${quoted(pattern)} ${refusal}`,
  )
}
