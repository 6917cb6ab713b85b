import { checkAddress } from '../core/address.ts'
import { type EraseResult, erase } from '../core/erase.ts'
import { type ForgetMode, type ForgetResult, forget } from '../core/forget.ts'
import type { Address } from '../core/model.ts'
import type { OperationDeps } from '../core/operation.ts'
import type { Maintenance } from '../core/port/store.ts'
import { type RelateInput, type RelateResult, type RelateTarget, relate, unrelate } from '../core/relate.ts'
import { type RollbackInput, type RollbackResult, rollback } from '../core/rollback.ts'
import { type SummarizeInput, type SummarizeResult, summarize } from '../core/summarize.ts'
import { type WriteInput, type WriteResult, write } from '../core/write.ts'
import { normalizeText } from '../ingest/parse/whitespace.ts'
import type { Redactor } from '../ingest/redact/redactor.ts'
import { listBackups } from './backups.ts'
import { type CompileOptions, type CompileParts, type CompileResult, compilePath } from './compile-path.ts'
import type { Config } from './config.ts'
import type { Doors } from './doors.ts'
import { type Places, storeRoot } from './places.ts'
import type { Temperature } from './temperature.ts'

export interface SignedWritesParts extends Pick<CompileParts, 'named' | 'onNotRemembered'> {
  /** Its store removes what has expired before it writes. */
  deps: OperationDeps
  doors: Doors
  maintenance: Maintenance
  places: Places
  /** As it was when the memory was opened. */
  config: Config
  redaction: Redactor
  temperature: () => Temperature
  maxNodeTokens: number
  /** What had ended may be there again. */
  onBroughtBack: () => void
}

/** What changes a memory, signed by whoever it is made for. */
export function createSignedWrites(parts: SignedWritesParts) {
  const { deps, doors, maintenance, places, config, redaction, temperature, maxNodeTokens } = parts
  const { named, onNotRemembered } = parts

  return (author: string) => {
    const signed = { ...deps, author }
    const treeDeps = async () => ({ ...(await doors.treeDepsOf(author)), store: deps.store })
    return {
      /** Values under keys. */
      keys: doors.keys(author),
      /** Brings the memory to what a folder or file says. */
      compile: (path: string, options?: CompileOptions): Promise<CompileResult> =>
        compilePath({ deps: signed, places, config, redaction, named, onNotRemembered }, path, options),
      /** Stores a note, puts one under a node (`parent`), or gives a node a new text (`anchor`). */
      write: async (input: WriteInput): Promise<WriteResult> => write(await treeDeps(), input),
      /** Replaces a node's text by a shorter one. */
      async summarize(input: SummarizeInput): Promise<SummarizeResult> {
        const { rebound } = temperature()
        const told = await treeDeps()
        return summarize({ ...told, maxNodeTokens, rebound, normalize: normalizeText }, input)
      },
      /** Removes a node. */
      forget: async (input: { id: string; mode?: ForgetMode }): Promise<ForgetResult> =>
        forget(await treeDeps(), input),
      /** Makes the memory say again what it said at a snapshot. */
      async rollback(input: RollbackInput): Promise<RollbackResult> {
        const result = await rollback({ ...signed, maintenance }, input)
        parts.onBroughtBack()
        return result
      },
      /** Links two nodes by hand; a target that is not there yet is waited for. */
      relate: (input: RelateInput): Promise<RelateResult> => relate(signed, input),
      /** Takes a manual link away; returns how many there were. */
      unrelate: (input: RelateTarget): Promise<number> => unrelate(signed, input),
      /** Removes every trace of one document's text; a tombstone stays. */
      async erase(address: Address): Promise<EraseResult & { backups: string[] }> {
        checkAddress(address)
        const result = await erase({ ...signed, maintenance }, toStored(places, address))
        return { ...result, backups: listBackups(places) }
      },
      /** Files that agents keep by path: what the `memory` tool and connectors are wired to. */
      memoryNode: doors.filesOf(author).memoryNode,
      /** What an assistant keeps: facts, learnings, tasks. */
      records: doors.records(author),
    }
  }
}

function toStored(places: Places, address: Address): Address {
  return address.kind === 'source' ? { ...address, root: storeRoot(places, address.root) } : address
}
