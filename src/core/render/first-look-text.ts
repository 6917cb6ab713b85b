import type { FirstLook } from '../find/map/first-look.ts'
import { mapText } from '../find/map/map-text.ts'
import type { Paint } from '../find/paint.ts'
import { treeText } from '../find/read/tree-text.ts'
import { treeJson } from './find-json.ts'

export function firstLookText(look: FirstLook, options: { paint?: Paint; open?: string } = {}): string {
  return look.kind === 'outline' ? treeText(look.outline, options) : mapText(look.map, options)
}

/** Like `treeJson`; a map has no outline nodes. */
export function firstLookJson(look: FirstLook) {
  return look.kind === 'outline' ? treeJson(look.outline) : { nodes: [], next: null, map: look.map }
}
