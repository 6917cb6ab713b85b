import { nodeMark } from '../../core/digest.ts'
import { linksByKey, wantedBy } from '../../core/links/wanted.ts'
import type { SnapshotRow } from '../../core/port/store.ts'
import type {
  ImportItem,
  ImportNode,
  TransferDocument,
  TransferDocumentVersion,
  TransferSpace,
  TransferVersion,
} from '../../core/port/transfer.ts'
import { tagRows } from '../../core/write/door-counts.ts'
import { nameOf } from '../../core/write/node-writes.ts'
import { contentDigest } from '../../util/hash.ts'
import type { ChangeRows } from './change-rows.ts'
import { type Context, digestBlob } from './context.ts'
import { documentTags } from './document-tags.ts'
import { doorCountWrites } from './door-counts.ts'
import { markBlob } from './marks.ts'
import { fillIndex } from './node-index.ts'
import { overlayWrites } from './overlays.ts'
import { fromAddress } from './rows.ts'
import { statement } from './statements.ts'
import type { Tally } from './tally.ts'
import type { TextQueries } from './texts.ts'
import { checkHistory } from './transfer-history.ts'
import { lateMarks } from './transfer-marks.ts'

type Row = Record<string, string | number | Buffer | null>

const INSERT = {
  snapshot: `INSERT INTO snapshots (id, space_id, parent_id, cursor_hash, author, operation, message, root, created_at)
    VALUES (@id, @space, @parentId, @cursorHash, @author, @operation, @message, @root, @createdAt) ON CONFLICT DO NOTHING`,
  document: `INSERT INTO documents (id, space_id, owner_id, kind, collection, name, state, text_id, digest, revision,
      created_at, updated_at, attributes, appended, accesses, accessed_at)
    VALUES (@id, @space, @owner, @kind, @collection, @name, @state, @textId, @digest, @revision, @createdAt, @updatedAt,
      @attributes, @appended, @accesses, @accessedAt)
    ON CONFLICT DO NOTHING`,
  documentVersion: `INSERT INTO document_versions (document_id, snapshot_id, state, text_id, digest, attributes, lead, trail)
    VALUES (@documentId, @snapshotId, @state, @textId, @digest, @attributes, @lead, @trail) ON CONFLICT DO NOTHING`,
  version: `INSERT INTO versions (node_key, snapshot_id, op, parent_key, position, type, format, label, text_id, links)
    VALUES (@nodeKey, @snapshotId, @op, @parentKey, @position, @type, @format, @label, @textId, @links)
    ON CONFLICT DO NOTHING`,
  node: `INSERT INTO nodes (key, id, document_id, parent_key, position, type, format, tokens, text_id, mark, removed_in,
      label, name, links)
    VALUES (@key, @id, @documentId, @parentKey, @position, @type, @format, @tokens,
      (SELECT id FROM texts WHERE owner_id = @owner AND digest = @digest), @mark, @removedIn, @label, @name, @links)
    ON CONFLICT DO NOTHING`,
  heat: `INSERT INTO heat (node_key, value, clock, pinned, accesses, accessed_at, told, coldness)
    VALUES (@key, @value, @clock, @pinned, @accesses, @accessedAt, @told,
      CASE WHEN @isLive = 1 AND @pinned = 0 THEN coldness_of(@value, @clock) END)`,
  /** Its target is looked for when all nodes are there. */
  link: `INSERT INTO links (source_key, origin, label, name, source, target_id, file, section, weight, place, asleep, created_at)
    VALUES (@key, 'manual', @label, @name, @source, @targetId, @file, @section, @weight, @place, @asleep, @createdAt)`,
}

/** Stores what was read from an export, row by row; what follows from the rows is made at the end. */
export function transferWrites(context: Context, texts: TextQueries, tally: Tally, changes: ChangeRows) {
  const { db, hash, spaceId: space, ownerId: owner } = context
  const insert = Object.fromEntries(
    Object.entries(INSERT).map(([name, sql]) => [name, statement<[Row]>(db, sql)]),
  ) as Record<keyof typeof INSERT, ReturnType<typeof statement<[Row]>>>
  const idOf = statement<[number], { id: string }>(db, 'SELECT id FROM nodes WHERE key = ?')
  const setSpace = statement<[Row]>(
    db,
    `UPDATE spaces SET heat_clock = @clock, heat_ticked_at = @tickedAt, heat_frozen = @frozen,
       cold_below = @coldBelow WHERE id = @space`,
  )
  const setHead = statement<[string, number]>(db, 'UPDATE snapshots SET cursor_hash = ? WHERE id = ?')
  const overlays = overlayWrites(context)
  const tags = documentTags(context)
  const counts = doorCountWrites(context)

  /** False: it is there already. */
  function add(table: keyof typeof INSERT, row: Row): boolean {
    return insert[table]().run(row).changes === 1
  }
  function addText(text: string | null): number | null {
    return text === null ? null : texts.addText(contentDigest(text), text)
  }

  const importers = {
    snapshot: (row: SnapshotRow): boolean => add('snapshot', { ...row, space }),
    document({ address, door, ...row }: TransferDocument): boolean {
      const [collection, name] = fromAddress(address)
      const { accesses = 0, accessedAt = null } = door ?? {}
      const isNew = add('document', {
        ...withText(row, addText(row.text)),
        ...{ space, owner, kind: address.kind, collection, name },
        attributes: door && JSON.stringify(door.attributes),
        appended: Number(door?.appended ?? false),
        accesses: accessedAt === null ? 0 : accesses,
        accessedAt,
      })
      if (isNew && row.state !== 'removed') tags.setTags(row.id, tagRows(door?.attributes ?? null))
      return isNew
    },
    documentVersion({ door, ...row }: TransferDocumentVersion): boolean {
      const { attributes, lead = null, trail = null } = door ?? {}
      return add('documentVersion', {
        ...withText(row, addText(row.text)),
        attributes: attributes ? JSON.stringify(attributes) : null,
        lead,
        trail,
      })
    },
    version({ state, ...row }: TransferVersion, digest: string | null): boolean {
      if (!state || digest === null) return add('version', { ...row, ...GONE, textId: null, label: null })
      const { text, ...rest } = state
      return add('version', { ...row, ...rest, textId: texts.addText(digest, text) })
    },
    node(row: ImportNode): boolean {
      if (!addNode(row)) return false
      const { key, heat, removed } = row
      const { pinned, told, ...warmth } = heat
      add('heat', {
        key,
        ...warmth,
        pinned: Number(pinned),
        told: Number(told),
        isLive: Number(removed === null),
      })
      if (row.overlay) overlays.putOverlays([{ nodeKey: key, ...row.overlay }])
      const asleep = Number(removed !== null)
      // Two that differed only in what was redacted are one.
      for (const { link, place } of linksByKey(row.links).values()) {
        const { label, weight, createdAt } = link
        add('link', { key, label, weight, place, createdAt, asleep, ...wantedBy(link) })
      }
      return true
    },
  }

  function addNode({ key, id, documentId, parentKey, current, removed }: ImportNode): boolean {
    const identity = { key, id, documentId, owner }
    if (!current) {
      const { type = 'text', format = 'plain', in: removedIn = null } = removed ?? {}
      return add('node', { ...identity, ...GONE, position: '', type, format, ...NOTHING, removedIn })
    }
    const { label, tokens, state } = current
    const { position, type, format, links } = state
    const mark = markOf(id, parentKey, state)
    // Not yet where the parent is still to come: `lateMarks` counts it then.
    if (mark) tally.add({ type, tokens, mark })
    const place = { parentKey, position, type, format, links }
    const shown = { label, tokens, name: nameOf(type, label), digest: digestBlob(state.digest), mark }
    return add('node', { ...identity, ...place, ...shown, removedIn: null })
  }
  function markOf(
    id: string,
    parentKey: number | null,
    state: Parameters<typeof nodeMark>[3],
  ): Buffer | null {
    const parentId = parentKey === null ? null : idOf().get(parentKey)?.id
    return parentId === undefined ? null : markBlob(nodeMark(hash, id, parentId, state))
  }
  function importItem(item: ImportItem): boolean {
    switch (item.kind) {
      case 'snapshot':
        return importers.snapshot(item.row)
      case 'document':
        return importers.document(item.row)
      case 'documentVersion':
        return importers.documentVersion(item.row)
      case 'version':
        return importers.version(item.row, item.digest)
      case 'node':
        return importers.node(item.row)
    }
  }

  return {
    importItems(items: ImportItem[]): number | null {
      // A version comes before its node, and a node may come before its parent.
      db.pragma('defer_foreign_keys = ON')
      const place = items.findIndex((item) => !importItem(item))
      return place < 0 ? null : place
    },

    finishImport(
      { headId, heat }: Omit<TransferSpace, 'counts'>,
      { recomputeHead }: { recomputeHead: boolean },
    ): void {
      checkHistory(db)
      for (const late of lateMarks(context)) tally.add(late)
      const { clock, tickedAt, frozen, coldBelow } = heat
      setSpace().run({ clock, tickedAt, frozen: Number(frozen), coldBelow, space })
      fillIndex({ db })
      counts.countAgain()
      const cursorHash = tally.flush(headId)
      if (recomputeHead && headId !== null) setHead().run(cursorHash, headId)
      changes.note('import', headId)
    },
  }
}

const GONE = { parentKey: null, position: null, type: null, format: null, links: null }
const NOTHING = { label: '', tokens: 0, name: null, digest: null, mark: null }

function withText<T extends { digest: string | null; text: string | null }>(
  { text: _, digest, ...row }: T,
  textId: number | null,
) {
  return { ...row, textId, digest: digest === null ? null : digestBlob(digest) }
}
