import type { Paint } from '../paint.ts'
import { treeJson } from '../read/tree-json.ts'
import { treeText } from '../read/tree-text.ts'
import type { FirstLook } from './first-look.ts'
import { mapText } from './map-text.ts'

export function firstLookText(look: FirstLook, options: { paint?: Paint; open?: string } = {}): string {
  return look.kind === 'outline' ? treeText(look.outline, options) : mapText(look.map, options)
}

/** As `treeJson`; a map has no nodes of an outline. */
export function firstLookJson(look: FirstLook) {
  return look.kind === 'outline' ? treeJson(look.outline) : { nodes: [], next: null, map: look.map }
}
