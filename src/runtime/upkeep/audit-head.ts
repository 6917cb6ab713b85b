import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownEnd } from '../../core/audit/verify.ts'
import { MemoryError } from '../../core/errors.ts'
import { readSmallFile } from '../../util/files/small-file.ts'
import { writeWholeFile } from '../../util/files/whole-file.ts'

const MAX_BYTES = 1000

/** The end of a chain is stored apart from its database: without it, nobody would notice that the last entries were removed. */
export function auditHeadFile(folder: string): string {
  return join(folder, 'audit-head.json')
}

/**
 * After the entry was stored, and before others are removed: the end may be behind that of the chain, never ahead, and no more is
 * missing at the beginning of the chain than it says.
 */
export async function writeAuditHead(folder: string, { number, hash, removed }: KnownEnd): Promise<void> {
  const text = `${JSON.stringify({ number, hash, removed })}\n`
  await writeWholeFile(auditHeadFile(folder), (write) => write(text))
}

/** Undefined: there is none. */
export function readAuditHead(folder: string): KnownEnd | undefined {
  const text = readText(folder)
  return text === undefined ? undefined : parse(text)
}

/** As it is, whatever is in it. To be called before the database is copied, for the same reason. */
export function copyAuditHead(from: string, to: string): void {
  const text = readText(from)
  if (text !== undefined) writeFileSync(auditHeadFile(to), text, { mode: 0o600 })
}

function readText(folder: string): string | undefined {
  try {
    return readSmallFile(auditHeadFile(folder), { within: folder, maxBytes: MAX_BYTES })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new MemoryError('CORRUPTED_DATA', `audit-head.json ${reason}`, { cause: error })
  }
}

function parse(text: string): KnownEnd {
  try {
    const { number, hash, removed } = JSON.parse(text) as Partial<KnownEnd>
    const isNumber = removed === undefined || typeof removed === 'number'
    if (typeof number === 'number' && typeof hash === 'string' && isNumber)
      return { number, hash, ...(removed !== undefined && { removed }) }
  } catch {
    // Handled like JSON of another shape.
  }
  throw new MemoryError(
    'CORRUPTED_DATA',
    'audit-head.json was changed: it has no number and hash; restore it from a backup, or delete it to accept the audit as it is',
  )
}
