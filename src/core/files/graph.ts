import { MemoryError, needs } from '../errors.ts'

/**
 * A graph of nodes that are wired to each other, as agent platforms store it. Parts that do not concern the memory are
 * ignored.
 */
export interface MemoryGraph {
  nodes: readonly { id: string; data: { template: string; config?: unknown } }[]
  /** Edges between other nodes need no handles. */
  edges: readonly {
    source: string
    sourceHandle?: string | null
    target: string
    targetHandle?: string | null
  }[]
}

export const TEMPLATES = ['memory', 'memoryTool', 'memoryConnector', 'agent'] as const
export type Template = (typeof TEMPLATES)[number]

export interface GraphNode {
  id: string
  template: Template
  config: Record<string, unknown>
}

/** The effect of one edge. */
export interface Wire {
  kind: WireKind
  source: GraphNode
  target: GraphNode
}
export type WireKind = 'tool' | 'memory' | 'connector'

/** `source.handle > target.handle`: every meaningful edge. */
const WIRES: Record<string, WireKind> = {
  'agent.tools > memoryTool.$self': 'tool',
  'memory.$self > memoryTool.$memory': 'memory',
  'memory.$self > memoryConnector.$memory': 'memory',
  'memoryConnector.$self > agent.memory': 'connector',
  'memory.$self > agent.memory': 'connector',
}
/** Aliases of handles: this one was a method before it was a port. */
const OTHER_NAMES: Record<string, string> = { setMemorySource: '$memory', setMemoryConnector: 'memory' }

/** Ignores nodes of other templates, and edges that do not concern the memory. */
export function readGraph(given: unknown): { nodes: GraphNode[]; wires: Wire[] } {
  const { nodes, edges } = Object(given) as Record<string, unknown>
  needs(Array.isArray(nodes) && Array.isArray(edges), 'a graph is { nodes, edges }: two lists')
  const known: KnownNodes = new Map()
  for (const { id, node } of nodes.map(readNode)) {
    needs(!known.has(id), `duplicate node id "${id}" in the graph`)
    known.set(id, node)
  }
  return {
    nodes: [...known.values()].filter((node) => node !== null),
    wires: edges.map((edge) => readEdge(edge, known)).filter((wire) => wire !== null),
  }
}

const EDGE = 'an edge of a graph is { source, sourceHandle, target, targetHandle }'

/** By id; null: another template. */
type KnownNodes = Map<string, GraphNode | null>

function readNode(given: unknown): { id: string; node: GraphNode | null } {
  const { id, data } = Object(given) as Record<string, unknown>
  needs(typeof id === 'string' && id !== '', 'a node of a graph is { id, data: { template, config } }')
  const { template, config = {} } = Object(data) as Record<string, unknown>
  needs(typeof template === 'string', `node "${id}" has no template; give it one in data.template`)
  const known = TEMPLATES.find((name) => name === template)
  if (known === undefined) return { id, node: null }
  const isObject = typeof config === 'object' && config !== null && !Array.isArray(config)
  needs(isObject, `the config of node "${id}" must be an object`)
  return { id, node: { id, template: known, config: config as Record<string, unknown> } }
}

function readEdge(given: unknown, nodes: Readonly<KnownNodes>): Wire | null {
  const edge = Object(given) as Record<string, unknown>
  const { source: sourceId, sourceHandle, target: targetId, targetHandle } = edge
  needs(typeof sourceId === 'string' && typeof targetId === 'string', EDGE)
  const source = getNode(nodes, sourceId)
  const target = getNode(nodes, targetId)
  if (!source || !target) return null
  needs(typeof sourceHandle === 'string' && typeof targetHandle === 'string', EDGE)
  const way = `${source.template}.${sourceHandle} > ${target.template}.${OTHER_NAMES[targetHandle] ?? targetHandle}`
  const kind = Object.hasOwn(WIRES, way) ? WIRES[way] : undefined
  if (kind !== undefined) return { kind, source, target }
  if (source.template === 'agent' && target.template === 'agent') return null
  throw new MemoryError(
    'INVALID_INPUT',
    `invalid edge from ${sourceId} to ${targetId}: ${way}; valid edges: ${Object.keys(WIRES).join(', ')}`,
  )
}

function getNode(nodes: Readonly<KnownNodes>, id: string): GraphNode | null {
  const node = nodes.get(id)
  if (node !== undefined) return node
  throw new MemoryError('INVALID_INPUT', `an edge of the graph names the unknown node "${id}"`)
}
