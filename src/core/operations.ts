import { repair } from './doctor/repair.ts'
import { eraseAt } from './erase.ts'
import { append } from './files/append.ts'
import { deleteFile } from './files/delete.ts'
import { replaceFile } from './files/update.ts'
import { forgetNode } from './forget.ts'
import { fillMemory } from './import.ts'
import { removeExpired } from './keys/expire.ts'
import { removeKey, removeTagged } from './keys/forget-key.ts'
import { eraseKey } from './keys/redact-key.ts'
import { replaceKey } from './keys/restore-key.ts'
import { putKey } from './keys/store-value.ts'
import { dropLease, holdLease } from './leases.ts'
import { setNodeHeat } from './pin.ts'
import type { Operation } from './port/store.ts'
import { publishFiles, storeFacts } from './publish-files.ts'
import { archiveFound } from './records/archive-records.ts'
import { putRecordAway } from './records/delete-record.ts'
import { putWholeRecord } from './records/store-record.ts'
import { changeRecord } from './records/update-record.ts'
import { putLink, removeLink } from './relate.ts'
import { restore } from './rollback.ts'
import { seedAgain } from './seeds.ts'
import { shortenNode } from './summarize.ts'
import { letTimePass } from './tick.ts'
import { boostNodes, touchAll } from './warm.ts'
import { replaceNode, writeNote } from './write.ts'

/** Everything that can change a memory. An engine that runs operations elsewhere looks them up here by name. */
export const OPERATIONS: readonly Operation<never, unknown>[] = [
  archiveFound,
  append,
  boostNodes,
  changeRecord,
  deleteFile,
  dropLease,
  eraseAt,
  eraseKey,
  fillMemory,
  forgetNode,
  holdLease,
  letTimePass,
  publishFiles,
  putKey,
  putLink,
  putRecordAway,
  putWholeRecord,
  removeExpired,
  removeKey,
  removeLink,
  removeTagged,
  repair,
  replaceFile,
  replaceKey,
  replaceNode,
  restore,
  seedAgain,
  setNodeHeat,
  shortenNode,
  storeFacts,
  touchAll,
  writeNote,
]
