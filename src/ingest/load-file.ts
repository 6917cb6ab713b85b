import { constants as bufferLimits, isUtf8 } from 'node:buffer'
import { fstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileProblem, LoadedFile, LoadRequest } from '../core/compile/source-folder.ts'
import { TooManyBlocks } from '../core/doors/text-limit.ts'
import { isMemoryError, MemoryError } from '../core/errors.ts'
import { findOutOfFiles } from '../core/open-files.ts'
import { ParseError } from '../core/parse-error.ts'
import { withOpened } from '../util/files/opened.ts'
import { digestOf } from '../util/text/hash.ts'
import { MAX_FILE_BLOCKS } from './parse/part-limit.ts'
import { findParser, PARSER_REVISION, type Parser } from './parsers.ts'
import { createRedactor, type Redactor } from './redact/redactor.ts'
import { tooLarge, unreadable } from './walk.ts'

/** How files of a folder are read and parsed: plain data, to be sent to threads. */
export interface LoadOptions {
  /** Without links. */
  root: string
  maxNodeTokens: number
  maxFileBytes: number
  redaction: Pick<Redactor, 'settings' | 'fingerprint'>
}

/** Everything besides its text that decides how a file is parsed. */
export function parserOf(path: string, { maxNodeTokens, redaction }: LoadOptions): string {
  return `${PARSER_REVISION} ${findParser(path)?.name} ${maxNodeTokens} ${redaction.fingerprint}`
}

/** Reads and parses files, one at a time. A file that cannot be is an answer; a fault of ours is thrown. */
export function createLoader(options: LoadOptions): (request: LoadRequest) => Promise<LoadedFile> {
  const { root, maxNodeTokens } = options
  const redactor = createRedactor(options.redaction.settings)
  return async ({ path, target = path, knownDigest }) => {
    const { redact, findKeys } = await redactor
    let digest: string | null = null
    try {
      const parser = findParser(path) as Parser
      const bytes = readBytes(join(root, target), { ...options, parser })
      digest = digestOf([`${parserOf(path, options)}\n`, bytes])
      if (digest === knownDigest) return { kind: 'unchanged', digest }
      const text = decode(bytes)
      const parse = await parser.load()
      const warnings: FileProblem[] = []
      const warn = ({ line, reason }: FileProblem): void =>
        void warnings.push({ line, reason: redact(reason) })
      const blocks = JSON.stringify(
        parse(text, { maxNodeTokens, redact, findKeys, warn, maxBlocks: MAX_FILE_BLOCKS }),
      )
      return { kind: 'parsed', digest, sizeBytes: bytes.length, blocks, warnings }
    } catch (error) {
      const { line, reason } = problemOf(path, error)
      return { kind: 'failed', digest, line, reason: redact(reason) }
    }
  }
}

/** Throws errors that are not about the file. */
function problemOf(path: string, error: unknown): { line: number | null; reason: string } {
  if (error instanceof ParseError) return error
  if (error instanceof TooManyBlocks)
    return { line: null, reason: `has ${error.found}; at most ${error.most} are read: split it` }
  if (isMemoryError(error)) throw error
  throw parserFault(path, error)
}

/** Opens the very file that was listed: it may have been replaced by a link that leads elsewhere. */
function readBytes(file: string, { maxFileBytes, parser }: LoadOptions & { parser: Parser }): Buffer {
  try {
    return withOpened(file, (handle) => {
      const stats = fstatSync(handle)
      if (!stats.isFile()) throw new ParseError('is no longer a regular file')
      if (stats.size > maxFileBytes) throw new ParseError(tooLarge(stats.size, maxFileBytes))
      if (stats.size > parser.maxBytes)
        throw new ParseError(tooLarge(stats.size, parser.maxBytes, parser.name))
      return readFileSync(handle)
    })
  } catch (error) {
    if (error instanceof ParseError) throw error
    throw findOutOfFiles(error) ?? new ParseError(unreadable(error), null, { cause: error })
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new ParseError('invalid UTF-8; save the file as UTF-8', lineOfFirstInvalid(bytes))
  if (bytes.length > bufferLimits.MAX_STRING_LENGTH)
    throw new ParseError('is too large to be parsed; split it')
  return bytes.toString('utf8')
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

function parserFault(path: string, error: unknown): MemoryError {
  const kind = error instanceof Error ? error.name : typeof error
  return new MemoryError(
    'UNAVAILABLE',
    `failed to compile: the parser failed on ${path} (${kind}), nothing was stored; leave the file out with .remindb/ignore, and report it`,
    { cause: error },
  )
}
