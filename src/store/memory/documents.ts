import { byAddress, placeOf } from '../../core/address.ts'
import { fits, hasUnit } from '../../core/find/match.ts'
import { pastText } from '../../core/history/document-past.ts'
import type { Address } from '../../core/model.ts'
import type * as port from '../../core/port/documents.ts'
import type { StoredDocument } from '../../core/port/stored.ts'
import type { DocumentVersionWrite } from '../../core/port/write-set.ts'
import { bySort, fitsQuery, totalsBy } from '../../core/rows/document-query.ts'
import { documentShapes } from '../../core/rows/document-shapes.ts'
import { createFileEntries } from '../../core/rows/file-entries.ts'
import { utf8Length } from '../../core/tokens.ts'
import { by } from '../../util/text/order.ts'
import type { Sync } from '../tx.ts'
import { liveNodes, textOf, wordsOf } from './nodes.ts'
import { pick, rowsOf, type Tables } from './tables.ts'

/** Null: there is none, or it is larger. */
export function readText(tables: Tables, document: StoredDocument, max = Infinity): string | null {
  const said = (digest: string | null) => textOf(tables, digest)
  const { id, appended, textDigest } = document
  const text = appended ? pastText(documentVersionsOf(tables, id), said) : said(textDigest)
  return utf8Length(text ?? '') > max ? null : text
}

/** Oldest first. */
export function documentVersionsOf({ documentVersions }: Tables, document: number): DocumentVersionWrite[] {
  const own = rowsOf(documentVersions, ({ documentId }) => documentId === document)
  return own.sort(by(({ snapshotId }) => [snapshotId]))
}

export function documentReads(tables: Tables): Omit<Sync<port.DocumentReads>, 'documentVersions'> {
  function fitting(query: port.DocumentQuery): StoredDocument[] {
    const { words, hasNodes } = query
    return rowsOf(tables.documents, (document) => fitsQuery(document, query)).filter(({ id }) => {
      const nodes = words || hasNodes ? liveNodes(tables, id) : []
      const hasWord = (at: number): boolean =>
        nodes.some((node) => hasUnit(wordsOf(tables, node), words?.units[at]))
      return !(hasNodes && nodes.length === 0) && (!words || fits(words.expression, hasWord))
    })
  }
  function selected(select: port.DocumentSelect): StoredDocument[] {
    if ('ids' in select) return pick(tables.documents, select.ids)
    if ('ofNode' in select) {
      const own = rowsOf(tables.nodes, ({ id }) => id === select.ofNode)
      return own.flatMap(({ documentId }) => pick(tables.documents, [documentId]))
    }
    if ('at' in select) {
      const foundAt = (at: Address) => rowsOf(tables.documents, ({ address }) => byAddress(address, at) === 0)
      return select.at.flatMap(foundAt)
    }
    return fitting(select).sort((a, b) => byAddress(a.address, b.address))
  }
  function shape(document: StoredDocument, fields: port.DocumentFields, max?: number): object {
    const nodes = liveNodes(tables, document.id)
    const tokens = nodes.reduce((sum, node) => sum + node.tokens, 0)
    const parts = { owner: 'local', text: readText(tables, document, max), nodes: nodes.length, tokens }
    const isLost = textOf(tables, document.textDigest) === null
    return documentShapes[fields](isLost ? { ...document, textDigest: null } : document, parts)
  }
  return {
    documents(select, fields, page = {}) {
      const { sort, offset = 0, limit = Infinity, total, maxTextBytes }: Partial<port.DocumentPage> = page
      const found = selected(select)
      const shown = (sort ? found.sort(bySort(sort)) : found).slice(offset, offset + limit)
      const counted = total && { total: found.length }
      return shown.map((one) => ({ ...shape(one, fields, maxTextBytes), ...counted }) as never)
    },
    totals(select, { by: value, limit, bytes } = {}) {
      const bytesOf = (one: StoredDocument) => (bytes ? utf8Length(readText(tables, one) ?? '') : 0)
      return totalsBy(selected(select), value, bytesOf).slice(0, limit)
    },
    fileEntries(memory, path, limit) {
      const entries = createFileEntries(path)
      for (const { address, attributes } of fitting({ kind: 'file', memory, under: path }))
        entries.add(placeOf(address).name, attributes?.folder === true)
      return entries.list().slice(0, limit)
    },
  }
}
