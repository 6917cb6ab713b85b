import type { Operation, WriteTx } from '../port/store.ts'
import type { DoctorTools } from './check.ts'
import { healCounters } from './counters.ts'
import { healDocuments } from './documents.ts'
import { healFiles } from './files.ts'
import { healHead } from './head.ts'
import { healHeat } from './heat.ts'
import { healHistory } from './history.ts'
import { healLabels } from './labels.ts'
import { healLeases } from './leases.ts'
import { healMissingTexts } from './missing-texts.ts'
import { healCycles, healOrphans } from './parents.ts'
import { rebuildLinks } from './rebuild-links.ts'
import { remark } from './state-digest.ts'
import { healTextReferences } from './texts.ts'

/** The repair of each check. Engines repair their own checks. */
const HEALS: Readonly<Record<string, (tx: WriteTx, tools: DoctorTools) => Promise<void>>> = {
  orphan_parent_id: healOrphans,
  head_cursor: healHead,
  dangling_diffs: healHistory,
  missing_text: healMissingTexts,
  text_refs: healTextReferences,
  labels: healLabels,
  unreachable_nodes: healCycles,
  links: (tx, { now }) => rebuildLinks(tx, now),
  counters: healCounters,
  cursor_hash: remark,
  heat: healHeat,
  leases: healLeases,
  files: healFiles,
  documents: healDocuments,
}

export const repair: Operation<{ name: string }, void> = {
  name: 'heal',
  run: (tx, { name }, tools) => {
    const heal = HEALS[name]
    return heal ? heal(tx, tools) : tx.engineHeal(name)
  },
}
