import type { TreeAnswer } from './tree-model.ts'

export function treeJson({ nodes, next }: TreeAnswer) {
  return { nodes, next }
}
