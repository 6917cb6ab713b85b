import { existsSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { appendJsonl } from '../../src/util/files/jsonl-file.ts'

/** A process that appends to a file; `jsonl-children.ts` starts it. */
export interface WriterInput {
  file: string
  name: string
  /** How many lines, unless it ends before. */
  count: number
  maxBytes?: number
  /** Writes lines of a ledger, each of a session of its own, until there is a file of this name. */
  ledgerUntil?: string
}

const { file, name, count, maxBytes, ledgerUntil } = JSON.parse(process.argv[2] ?? '') as WriterInput

function ledgerLine(at: number): object {
  const client = { name: 'x', version: '1', protocol: 'p' }
  const times = { connected_at: at, last_seen: at + 1 }
  return { session_id: `${name}-${at}`, client, transport: 'stdio', ...times, tool_calls: 1 }
}

writeSync(1, 'ready\n')
await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next()
let at = 0
for (; at < count && !(ledgerUntil && existsSync(ledgerUntil)); at++) {
  if (ledgerUntil) appendJsonl(file, ledgerLine(at), { survivesCompaction: true })
  else appendJsonl(file, { name, at, filling: 'x'.repeat(at % 300) }, maxBytes ? { maxBytes } : {})
}
writeSync(1, `${at}\n`)
process.exit(0)
