import { linkName } from './link.ts'

/** The source of a link whose label is the path of a file, relative to the file that has the link: `[x](../a.md#b)`. */
export const RELATIVE = './'

/** The parts of a label: `[[folder/Note#Section|shown]]`. */
export interface LinkParts {
  /** The whole label without the part after `|`: the name of a heading or an alias. */
  name: string
  /** The last part of the path: the name of a file. Empty for `[[#Section]]`, and where only headings count. */
  file: string
  /** The folders before it, in lower case; for a relative link the whole path, resolved later. */
  folders: string[]
  /** A heading in that file as a `slug`, or `^block`; empty if none. */
  section: string
}

/** Splits a label into its parts. Which candidate it means depends on the stored documents. */
export function linkParts({ label, source }: { label: string; source: string }): LinkParts {
  const target = source === RELATIVE ? label : withoutAlias(label)
  const name = linkName(target)
  if (source !== '' && source !== RELATIVE) return { name, file: '', folders: [], section: '' }
  const [path = '', ...sections] = target.split('#')
  const folders = path.split('/').map(lookupForm)
  const last = folders.pop() ?? ''
  return { name, file: last === '' ? '' : linkName(last), folders, section: sectionOf(sections.at(-1) ?? '') }
}

/** Identifies a label within a node; the shown part does not count. */
export function labelKey(label: string): string {
  return lookupForm(withoutAlias(label).replace(/\s+/g, ' '))
}

/** A heading as the anchor of a Markdown link: `Release plan!` is `release-plan`. */
export function slug(heading: string): string {
  return lookupForm(heading)
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
}

/** The names of a file: with its extension and without. */
export function fileNames(path: string): string[] {
  const base = path.slice(path.lastIndexOf('/') + 1)
  const dot = base.lastIndexOf('.')
  const names = dot > 0 ? [base, base.slice(0, dot)] : [base]
  return [...new Set(names.map(linkName))].filter((name) => name !== '')
}

/** Paths are compared without regard to case and Unicode composition. */
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
