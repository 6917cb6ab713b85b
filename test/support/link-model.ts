/** A file of a folder, as far as links are concerned. Its headings differ from each other. */
export interface ModelFile {
  path: string
  aliases: string[]
  headings: string[]
  /** Written between the brackets. */
  links: string[]
}

export function textOf({ path, aliases, headings, links }: ModelFile): string {
  return [
    ...(aliases.length > 0 ? [`---\naliases: [${aliases.join(', ')}]\n---`] : []),
    `Start of ${path}`,
    ...links.map((link, at) => `Link ${at} of ${path} [[${link}]]`),
    ...headings.map((heading) => `# ${heading}`),
  ].join('\n\n')
}

/** Where a link leads, by looking at every file: `path: label`, or null. */
export function naiveTarget(files: readonly ModelFile[], from: ModelFile, link: string): string | null {
  const [target = ''] = link.split('|')
  const [path = '', section] = target.toLowerCase().split('#')
  const folders = path.split('/')
  const last = folders.pop() ?? ''
  const nearest = (fits: (file: ModelFile) => boolean): ModelFile | undefined =>
    files.filter(fits).toSorted((a, b) => compare(from.path, a.path, b.path))[0]
  const withHeading = (name: string) => nearest((file) => headingOf(file, name) !== undefined)
  const show = (file: ModelFile | undefined, heading?: string): string | null =>
    file ? `${file.path}: ${heading ?? `Start of ${file.path}`}` : null

  const file = (): ModelFile | undefined =>
    nearest((one) => last !== '' && isNamed(one.path, folders, last)) ??
    nearest((one) => path !== '' && one.aliases.some((alias) => alias.toLowerCase() === path))
  if (section === undefined) {
    const own = headingOf(from, path)
    if (own !== undefined) return show(from, own)
    const elsewhere = withHeading(path)
    return show(file()) ?? show(elsewhere, elsewhere && headingOf(elsewhere, path))
  }
  const above = headingOf(from, path) === undefined ? undefined : from
  const named = above ? undefined : file()
  const document = path === '' ? from : (above ?? named ?? withHeading(path))
  const heading = document && headingOf(document, section)
  if (path === '') return heading === undefined ? null : show(document, heading)
  return show(document, heading ?? (document && !named ? headingOf(document, path) : undefined))
}

function headingOf({ headings }: ModelFile, name: string): string | undefined {
  return headings.find((heading) => heading.toLowerCase() === name)
}

function isNamed(path: string, folders: readonly string[], last: string): boolean {
  const parts = path.toLowerCase().split('/')
  const base = parts.pop() ?? ''
  const isBelow = folders.length === 0 || parts.slice(-folders.length).join('/') === folders.join('/')
  return isBelow && (base === last || base.replace(/\.[^.]*$/, '') === last)
}

function compare(from: string, a: string, b: string): number {
  return shared(from, b) - shared(from, a) || depth(a) - depth(b) || (a < b ? -1 : 1)
}

function shared(from: string, path: string): number {
  const [mine, other] = [from.split('/').slice(0, -1), path.split('/').slice(0, -1)]
  const end = mine.findIndex((folder, at) => folder !== other[at])
  return end < 0 ? mine.length : end
}

function depth(path: string): number {
  return path.split('/').length
}
