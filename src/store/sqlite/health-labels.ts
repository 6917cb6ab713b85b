import { labelOf } from '../../core/label.ts'
import type { Format, NodeType } from '../../core/model.ts'
import { plural } from '../../util/terminal-units.ts'
import { type Check, fail, pass } from './check.ts'
import type { Context } from './context.ts'
import { rebuildIndex } from './health-rebuild.ts'
import { isAsStored } from './health-text-digests.ts'

interface LabelledNode {
  key: number
  type: NodeType
  format: Format
  label: string
  own: string | null
  digest: string
  body: unknown
}

export function labelsCheck(context: Context): Check {
  const { db } = context
  return {
    name: 'labels',
    run() {
      const count = wrongLabels(context).length
      return count === 0
        ? pass('labels agree with the history and the texts')
        : fail(
            `${plural(count, 'node has', 'nodes have')} another label than their history or text gives them`,
          )
    },
    heal() {
      const set = db.prepare('UPDATE nodes SET label = ? WHERE key = ?')
      for (const { key, label } of wrongLabels(context)) set.run(label, key)
      rebuildIndex(context)
    },
  }
}

/** With the label that each should have. */
function wrongLabels({ db }: Context): { key: number; label: string }[] {
  const wrong: { key: number; label: string }[] = []
  const nodes = db.prepare<[], LabelledNode>(
    `SELECT n.key, n.type, n.format, n.label, v.label AS own, lower(hex(t.digest)) AS digest, t.body
     FROM nodes n JOIN texts t ON t.id = n.text_id
     LEFT JOIN versions v ON v.node_key = n.key AND v.snapshot_id =
       (SELECT max(e.snapshot_id) FROM versions e WHERE e.node_key = n.key)
     WHERE n.removed_in IS NULL`,
  )
  for (const node of nodes.iterate()) {
    const label = labelFrom(node)
    // A text that is not what was stored says nothing about a label.
    if (label !== node.label && (node.own !== null || isAsStored(node))) wrong.push({ key: node.key, label })
  }
  return wrong
}

function labelFrom({ type, format, own, body }: LabelledNode): string {
  return own ?? labelOf({ type, format, text: String(body) })
}
