import { recordEvents } from '../audit/append.ts'
import { trimAudit } from '../audit/retention.ts'
import { publishFiles, storeFacts } from '../compile/publish-files.ts'
import { seedAgain } from '../compile/seeds.ts'
import { adoptFiles, stageFiles } from '../compile/staged-files.ts'
import { repair } from '../doctor/repair.ts'
import { append } from '../files/append.ts'
import { deleteFile } from '../files/delete.ts'
import { replaceFile } from '../files/update.ts'
import { dropLease, holdLease } from '../heat/leases.ts'
import { setNodeHeat } from '../heat/pin.ts'
import { letTimePass } from '../heat/tick.ts'
import { boostNodes, touchAll } from '../heat/warm.ts'
import { dropCheckpoint, putCheckpoint } from '../history/checkpoint.ts'
import { eraseAt } from '../history/erase.ts'
import { pruneStep } from '../history/prune-step.ts'
import { restoreAt } from '../history/restore.ts'
import { revertAt } from '../history/revert.ts'
import { rollBack } from '../history/rollback.ts'
import { removeExpired } from '../keys/expire.ts'
import { removeKey, removeTagged } from '../keys/forget.ts'
import { eraseKey } from '../keys/redact.ts'
import { replaceKey } from '../keys/restore.ts'
import { putKey } from '../keys/store.ts'
import type { Operation } from '../port/store.ts'
import { archiveFound } from '../records/archive.ts'
import { putRecordAway } from '../records/delete.ts'
import { putWholeRecord } from '../records/store.ts'
import { changeRecord } from '../records/update.ts'
import { fillMemory } from '../transfer/import.ts'
import { forgetNode } from '../tree/forget.ts'
import { putLink, removeLink } from '../tree/relate.ts'
import { shortenNode } from '../tree/summarize.ts'
import { replaceNode, writeNote } from '../tree/write.ts'

/** Every operation that can change a memory. An engine that runs operations elsewhere looks them up here by name. */
export const OPERATIONS: readonly Operation<never, unknown>[] = [
  adoptFiles,
  archiveFound,
  append,
  boostNodes,
  changeRecord,
  deleteFile,
  dropCheckpoint,
  dropLease,
  eraseAt,
  eraseKey,
  fillMemory,
  forgetNode,
  holdLease,
  letTimePass,
  pruneStep,
  publishFiles,
  putCheckpoint,
  putKey,
  putLink,
  putRecordAway,
  putWholeRecord,
  recordEvents,
  removeExpired,
  removeKey,
  removeLink,
  removeTagged,
  repair,
  replaceFile,
  replaceKey,
  replaceNode,
  restoreAt,
  revertAt,
  rollBack,
  seedAgain,
  setNodeHeat,
  shortenNode,
  stageFiles,
  storeFacts,
  touchAll,
  trimAudit,
  writeNote,
]
