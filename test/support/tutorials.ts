import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Fence, parsePage, ROOT, replay } from './docs.ts'

/** Guides whose transcripts go on from one to the next, as those of tutorials do. */
const FOLLOWED_GUIDES = ['docs/how-to/test-your-memory.md']

/** Whether a page is followed from its first line to its last. */
export function isFollowed(path: string): boolean {
  return path.startsWith('docs/tutorials/') || FOLLOWED_GUIDES.includes(path)
}

/** One transcript of a tutorial: what its page shows, and what one sees. */
export interface Step {
  line: number
  shown: string
  seen: string
}

/**
 * Follows a tutorial from its first line to its last, in one folder: a block with a file name behind its language is saved under that
 * name, a `console` block is typed.
 */
export function follow(folder: string, text: string): Step[] {
  const here = join(folder, 'here')
  installClient(here)
  return parsePage(text).fences.flatMap(({ info, content, line }) => {
    const [language, file] = info.split(' ')
    if (file) save(join(here, file), content)
    if (language !== 'console') return []
    return [{ line, shown: withoutTimes(content), seen: asInstalled(withoutTimes(replay(folder, content))) }]
  })
}

/** The code blocks of a page, by the beginning of the heading that they stand under, such as `2.`. */
export function blocksUnder(text: string, heading: string): Fence[] {
  const { headings, fences } = parsePage(text)
  const at = headings.findIndex((one) => one.text.startsWith(heading))
  const [start, end = Number.POSITIVE_INFINITY] = [headings[at]?.line, headings[at + 1]?.line]
  if (start === undefined) throw new Error(`there is no heading ${heading}`)
  return fences.filter(({ line }) => line > start && line < end)
}

/** What `npm install @modelcontextprotocol/client` does. */
function installClient(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules, { recursive: true })
  symlinkSync(join(ROOT, 'node_modules', '@modelcontextprotocol'), join(modules, '@modelcontextprotocol'))
}

function save(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

/** Commands that the program prints begin with the place where these tests found it. */
function asInstalled(text: string): string {
  return text.replaceAll(/\S*\/bin\/remindb(?= )/g, 'remindb')
}

function withoutTimes(text: string): string {
  const withoutAges = text.replaceAll(/^(#\d+) +\d+s /gm, '$1 <age> ')
  return withoutAges.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, '<time>')
}
