import { by } from '../../util/text/order.ts'
import { placeOf } from '../address.ts'
import type { DocumentTotal, TotalOptions } from '../port/documents.ts'
import type { StoredDocument } from '../port/stored.ts'
import { attributeValue } from './document-query.ts'
import { tagsOf } from './door-counts.ts'

type Value = NonNullable<TotalOptions['by']>

/** How many of the documents have each value, as `totals` of the port orders them. */
export function totalsBy(documents: readonly StoredDocument[], value: Value): DocumentTotal[] {
  const values = documents.flatMap((document) => valuesOf(document, value))
  const groups = Map.groupBy(values, (one) => one)
  const totals = [...groups].map(([one, same]) => ({ value: one, count: same.length, bytes: 0 }))
  return totals.sort(by((total) => [-total.count, total.value]))
}

/** What a document is counted by; an empty text is none. */
function valuesOf({ address, attributes }: StoredDocument, value: Value): (string | null)[] {
  if (value === 'tag') return [...new Set(tagsOf(attributes))]
  const one = value === 'root' ? placeOf(address).collection : attributeValue(attributes?.[value])
  return [one === '' ? null : (one as string | null)]
}
