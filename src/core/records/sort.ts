import type { DocumentPage, DocumentSortKey } from '../port/documents.ts'
import { checkChoice } from './check.ts'

const SORTS = {
  created_at: 'created',
  updated_at: 'updated',
  accessed_at: 'accessed',
  importance: 'importance',
  access_count: 'accesses',
} as const satisfies Record<string, DocumentSortKey>

export type SortBy = keyof typeof SORTS
export const SORT_KEYS = Object.keys(SORTS) as SortBy[]
export const SORT_ORDERS = ['asc', 'desc'] as const

export interface RecordSort {
  /** Default: accessed_at. */
  sort_by?: SortBy
  /** Default: desc. Descending importance begins with high. */
  sort_order?: (typeof SORT_ORDERS)[number]
}

export function sortRecords({
  sort_by = 'accessed_at',
  sort_order = 'desc',
}: RecordSort): DocumentPage['sort'] {
  const by = SORTS[checkChoice('sort_by', SORT_KEYS, sort_by)]
  return [{ by, descending: checkChoice('sort_order', SORT_ORDERS, sort_order) === 'desc' }]
}
