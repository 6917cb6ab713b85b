import { linkName } from './link.ts'

/** The source of a link whose label is the path of a file, relative to the file that has the link: `[x](../a.md#b)`. */
export const RELATIVE = './'

/** What a label asks for. `[[folder/Note#Section|shown]]` */
export interface LinkParts {
  /** The whole label without what is shown instead, as a heading or an alias is looked up by. */
  name: string
  /** The last part of the path, as a file is looked up by; empty for `[[#Section]]` and where only headings count. */
  file: string
  /** The folders before it, in lower case; of a relative link the whole path, resolved later. */
  folders: string[]
  /** A heading in that file, as `slug` has it, or `^block`; empty for none. */
  section: string
}

/** Takes a label apart. Which of several things that fit it is meant depends on what is stored. */
export function linkParts({ label, source }: { label: string; source: string }): LinkParts {
  const target = source === RELATIVE ? label : withoutAlias(label)
  const name = linkName(target)
  if (source !== '' && source !== RELATIVE) return { name, file: '', folders: [], section: '' }
  const [path = '', ...sections] = target.split('#')
  const folders = path.split('/').map(lookupForm)
  const last = folders.pop() ?? ''
  return { name, file: last === '' ? '' : linkName(last), folders, section: sectionOf(sections.at(-1) ?? '') }
}

/** What tells two labels of one node apart: what is shown instead does not. */
export function labelKey(label: string): string {
  return lookupForm(withoutAlias(label).replace(/\s+/g, ' '))
}

/** A heading as the anchor of a Markdown link names it: `Release plan!` is `release-plan`. */
export function slug(heading: string): string {
  return lookupForm(heading)
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
}

/** The names that a file is found by: with its extension and without. */
export function fileNames(path: string): string[] {
  const base = path.slice(path.lastIndexOf('/') + 1)
  const dot = base.lastIndexOf('.')
  const names = dot > 0 ? [base, base.slice(0, dot)] : [base]
  return [...new Set(names.map(linkName))].filter((name) => name !== '')
}

/** Case, and how a character is composed, do not tell two paths apart. */
export function lookupForm(text: string): string {
  return text.trim().normalize('NFC').toLowerCase()
}

function withoutAlias(label: string): string {
  const bar = label.indexOf('|')
  const target = bar < 0 ? label : label.slice(0, bar)
  // In a table the bar is escaped.
  return (target.endsWith('\\') && bar >= 0 ? target.slice(0, -1) : target).trim() || label
}

function sectionOf(written: string): string {
  const section = written.trim()
  return section.startsWith('^') ? lookupForm(section) : slug(linkName(section))
}
