import type { GraphEnvelope } from '../../core/observe/graph.ts'
import type { Palette } from '../../util/terminal/color.ts'
import { printable } from '../../util/text/printable.ts'

/** One line per link: the label and id at both ends; the target of a pending link is in quotes. */
export function* linksLines({ nodes, edges, pending }: GraphEnvelope, palette: Palette): Generator<string> {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]))
  const end = (id: string): string => `${printable(labels.get(id) ?? '')} ${palette.dim(`(${id})`)}`
  for (const { source, target, weight, origin } of edges) {
    yield `${end(source)} -> ${end(target)} ${palette.dim(`${origin} weight=${weight.toFixed(2)}`)}`
  }
  for (const { source, target_label, target_source, target_id_hint, weight, origin } of pending) {
    const wanted = target_label || target_id_hint
    const id = target_label !== '' && target_id_hint !== '' ? ` (id=${target_id_hint})` : ''
    const where = target_source === '' ? id : ` in ${target_source}`
    const facts = palette.dim(`${origin} weight=${weight.toFixed(2)} pending`)
    yield `${end(source)} -> "${printable(`${wanted}"${where}`)} ${facts}`
  }
}
