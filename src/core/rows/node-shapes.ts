import type { HeatRecord } from '../port/heat.ts'
import type { BriefRow, NodeFields } from '../port/nodes.ts'
import type { NodeRow, Overlay } from '../port/rows.ts'

/** What a shape needs besides the node row. */
export interface NodeParts {
  /** The shown name of its document. */
  source: string
  /** Null: not stored. */
  text: string | null
  heat: HeatRecord
  /** Current heat. */
  temperature: number
  overlay: Overlay | null
  parentId: string | null
  /** How many live nodes are directly below it. */
  children: number
  /** The snapshot that last changed it; undefined: none. */
  changedIn: number | undefined
}

type Shapes = {
  [F in keyof NodeFields]: (node: NodeRow, parts: NodeParts) => NodeFields[F] | undefined
}

/** The shapes of a node as functions of the stored data; undefined: the node is left out. */
export const nodeShapes: Shapes = {
  brief: briefOf,
  outline(node, parts) {
    const { documentId, parentKey, position } = node
    return { ...briefOf(node, parts), documentId, parentKey, position, children: parts.children }
  },
  reading: (node, parts) => ({
    ...briefOf(node, parts),
    parentKey: node.parentKey,
    text: parts.text ?? '',
  }),
  lineage: ({ key, parentKey, position, label }) => ({ key, parentKey, position, label }),
  facts({ key, type, tokens, documentId }, { temperature }) {
    return { key, type, tokens, documentId, temperature }
  },
  heat({ key, id, label }, { temperature: value, heat: { pinned, accesses } }) {
    return { key, id, label, value, pinned, accesses }
  },
  change({ key, documentId }, { changedIn }) {
    return changedIn === undefined ? undefined : { key, documentId, changedIn }
  },
  text: ({ key }, { text }) => (text === null ? undefined : { key, text }),
  full: (node, { overlay }) => ({ ...node, overlay }),
  stored: (node, { overlay, text, heat, parentId }) => ({ ...node, overlay, text, heat, parentId }),
  heatRecord: ({ id }, { heat }) => ({ ...heat, id }),
  id: ({ key, id }) => ({ key, id }),
}

function briefOf({ key, id, type, label, tokens }: NodeRow, { temperature, source }: NodeParts): BriefRow {
  return { key, id, type, label, tokens, temperature, source }
}
