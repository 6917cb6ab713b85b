import { isUtf8 } from 'node:buffer'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { LoadedFile, SourceFolder } from '../core/compile.ts'
import { ParseError } from '../core/parse-error.ts'
import { contentDigest } from '../util/hash.ts'
import { isInside, isUnder } from '../util/paths.ts'
import { findParser, PARSER_REVISION, type Parser } from './parsers.ts'
import type { Redactor } from './redact/redactor.ts'
import { isSkippedFolder, type Walk, walk } from './walk.ts'

/** How long parsing may hold the thread before others get a turn. */
const TURN_MS = 10

export interface SourceFolderOptions {
  root: string
  scope: string
  maxNodeTokens: number
  redaction: Pick<Redactor, 'redact' | 'fingerprint'>
}

/** A folder on disk as `compile` sees it. */
export function openSourceFolder(options: SourceFolderOptions): SourceFolder {
  const { root, scope, maxNodeTokens } = options
  const { redact, fingerprint } = options.redaction
  let found: Walk | undefined
  const realRoot = realpathSync.native(root)
  let turnStarted = performance.now()

  const lookAgain = (): Walk => {
    found = walk({ root, scope, accepts: (path) => findParser(path) !== undefined })
    return found
  }
  const look = (): Walk => found ?? lookAgain()
  return {
    list: async () => lookAgain().files,
    problems: () => look().problems,
    /** A folder that cannot be read, or is not looked into, hides its files; that does not mean they are gone. */
    covers: (path) =>
      isUnder(scope, path) &&
      !isInSkippedFolder(path.slice(scope.length)) &&
      !look().problems.some((problem) => isUnder(problem.path === '.' ? '' : problem.path, path)),
    async load(path, knownDigest): Promise<LoadedFile> {
      if (performance.now() - turnStarted > TURN_MS) {
        await setImmediate()
        turnStarted = performance.now()
      }
      const bytes = readSource(realRoot, join(root, path))
      const text = bytes.toString('utf8')
      const parser = findParser(path) as Parser
      const digest = contentDigest(
        `${PARSER_REVISION} ${parser.name} ${maxNodeTokens} ${fingerprint}\n${text}`,
      )
      if (digest === knownDigest) return { kind: 'unchanged' }
      const parse = await parser.load()
      return {
        kind: 'parsed',
        digest,
        sizeBytes: bytes.length,
        blocks: parse(text, { maxNodeTokens, redact }),
      }
    },
  }
}

function readSource(realRoot: string, file: string): Buffer {
  const bytes = readBytes(realRoot, file)
  if (!isUtf8(bytes)) throw new ParseError('invalid UTF-8; save the file as UTF-8', lineOfFirstInvalid(bytes))
  return bytes
}

function readBytes(realRoot: string, file: string): Buffer {
  try {
    // Again: what was a file when the folder was listed may have become a link that leads elsewhere.
    const real = realpathSync.native(file)
    if (!isInside(realRoot, real)) throw new ParseError('is a link that leaves the folder')
    return readFileSync(real)
  } catch (error) {
    if (error instanceof ParseError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    throw new ParseError(`cannot be read (${code})`, null, { cause: error })
  }
}

/** A line feed never is part of another character: each line can be looked at alone. */
function lineOfFirstInvalid(bytes: Buffer): number {
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start)
    const stop = end < 0 ? bytes.length : end
    if (!isUtf8(bytes.subarray(start, stop))) return line
    start = stop + 1
  }
  return line
}

function isInSkippedFolder(path: string): boolean {
  return path.split('/').slice(0, -1).some(isSkippedFolder)
}
