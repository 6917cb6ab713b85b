import { needs } from '../errors.ts'
import { countFitting } from '../fit-json.ts'
import type { AsOf, MaybePast } from '../port/history.ts'
import type { Store } from '../port/store.ts'
import type { Redact } from '../redact.ts'
import { pageAndTotal } from '../write/documents.ts'
import { checkId } from './check.ts'
import { fitRecord } from './fit.ts'
import { MAX_PAGE, USUAL_PAGE } from './limits.ts'
import { type RecordJson, toRecordJson } from './model.ts'
import { type RecordFilter, selectRecords } from './select.ts'
import { type RecordSort, sortRecords } from './sort.ts'

export interface QueryRecordsInput extends RecordFilter, RecordSort, AsOf {
  /** Only this record. */
  id?: string
  limit?: number
  offset?: number
  /** Maximum length of the records as JSON, in characters: may return fewer than `limit`. Default: unlimited. */
  maxLength?: number
}

export interface RecordPage extends MaybePast {
  memories: RecordJson[]
  /** On all pages. */
  total: number
  limit: number
  offset: number
  has_more: boolean
  /** `offset` of the next page; only if long records left fewer than requested. */
  next_offset?: number
}

export interface QueriedRecords {
  page: RecordPage
  /** The documents in the page: a query counts as an access. */
  documentIds: number[]
}

/** A page of matching records, as they were before this access. */
export async function queryRecords(
  { store, redact }: { store: Pick<Store, 'read'>; redact: Redact },
  input: QueryRecordsInput = {},
): Promise<QueriedRecords> {
  needs(typeof input === 'object' && input !== null, 'query needs an object, such as { type, tags, search }')
  const { limit = USUAL_PAGE, offset = 0 } = input
  const isPage = Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_PAGE
  needs(isPage, `limit must be a whole number from 1 up to ${MAX_PAGE}`)
  needs(Number.isSafeInteger(offset) && offset >= 0, 'offset must be a whole number from 0')
  const query = {
    ...selectRecords(redact, input),
    ...(input.id !== undefined && { name: checkId(input.id) }),
  }
  const sort = sortRecords(input)
  const { documents, total } = await store.read((tx) =>
    pageAndTotal(tx, query, 'whole', { sort, limit, offset }),
  )
  const { memories, isCut } = fitRecords(documents.map(toRecordJson), input.maxLength)
  const end = offset + memories.length
  return {
    page: {
      memories,
      total,
      // `offset` plus `limit` must lead to the next page.
      limit: isCut ? memories.length : limit,
      offset,
      has_more: end < total,
      ...(isCut && { next_offset: end }),
    },
    documentIds: documents.slice(0, memories.length).map(({ id }) => id),
  }
}

function fitRecords(
  found: RecordJson[],
  maxLength = Number.POSITIVE_INFINITY,
): { memories: RecordJson[]; isCut: boolean } {
  if (maxLength === Number.POSITIVE_INFINITY) return { memories: found, isCut: false }
  const memories = found.slice(0, countFitting(found, maxLength))
  // Only the first may be longer.
  return {
    memories: memories.map((record) => fitRecord(record, maxLength)),
    isCut: memories.length < found.length,
  }
}
