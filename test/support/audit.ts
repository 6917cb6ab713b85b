import { type Verified, verifyChain } from '../../src/core/audit/verify.ts'
import type { AuditEntry } from '../../src/core/port/audit.ts'
import { openMemory } from '../../src/runtime/memory/open-memory.ts'
import { spaceFiles } from '../../src/runtime/spaces/space-files.ts'
import { readAuditHead } from '../../src/runtime/upkeep/audit-head.ts'
import { sha256 } from '../../src/util/text/sha256.ts'
import type { Team } from './team.ts'

export interface AuditedSpace {
  entries: AuditEntry[]
  verified: Verified
}

/** The audit of a space as another process finds it. */
export async function auditOf(
  { dir, accounts }: Pick<Team, 'dir' | 'accounts'>,
  space = 'red',
): Promise<AuditedSpace> {
  const { id = '' } = (await accounts.spaces.find(space)) ?? {}
  const { folder, db } = spaceFiles(dir, id)
  const known = readAuditHead(folder)
  await using memory = await openMemory({ db, create: false, readOnly: true })
  const verified = await memory.audit.read((chain) => verifyChain({ ...chain, known, sha256 }))
  return { verified, entries: await memory.audit.read(({ entries }) => all(entries)) }
}

export async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const rows: T[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}
