import { lstatSync, readlinkSync } from 'node:fs'
import { basename, dirname, join, parse, sep } from 'node:path'

/** As Linux has it. */
const MOST_LINKS = 40

/**
 * The first symbolic link on the absolute path `path` that is in a folder called `name` or has that name itself.
 * Other links are followed, one by one: the folders that they lead through count too.
 */
export function findLinkIn(name: string, path: string): string | undefined {
  let at = parse(path).root
  const ahead = partsOf(path)
  for (let followed = 0; ahead.length > 0; ) {
    const part = ahead.shift() as string
    if (part === '..') {
      at = dirname(at)
      continue
    }
    const next = join(at, part)
    const target = targetOf(next)
    if (target === undefined) {
      at = next
      continue
    }
    followed += 1
    if (part === name || basename(at) === name || followed > MOST_LINKS) return next
    at = parse(target).root || at
    ahead.unshift(...partsOf(target))
  }
  return undefined
}

function partsOf(path: string): string[] {
  const separators = sep === '/' ? /\/+/ : /[/\\]+/
  return path
    .slice(parse(path).root.length)
    .split(separators)
    .filter((part) => part !== '' && part !== '.')
}

function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch {
    // Not there, or not to be looked at: then it cannot be opened either.
    return undefined
  }
}
