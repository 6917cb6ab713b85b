import { MemoryError, needs } from '../errors.ts'

/** A graph of nodes that are wired to each other, as agent platforms keep them. What else a node or edge has is passed over. */
export interface MemoryGraph {
  nodes: readonly { id: string; data: { template: string; config?: unknown } }[]
  edges: readonly { source: string; sourceHandle: string; target: string; targetHandle: string }[]
}

export const TEMPLATES = ['memory', 'memoryTool', 'memoryConnector', 'agent'] as const
export type Template = (typeof TEMPLATES)[number]

export interface GraphNode {
  id: string
  template: Template
  config: Record<string, unknown>
}

/** What one edge does. */
export interface Wire {
  kind: WireKind
  source: GraphNode
  target: GraphNode
}
export type WireKind = 'tool' | 'memory' | 'connector'

/** `source.handle > target.handle`: every edge that means something. */
const WIRES: Record<string, WireKind> = {
  'agent.tools > memoryTool.$self': 'tool',
  'memory.$self > memoryTool.$memory': 'memory',
  'memory.$self > memoryConnector.$memory': 'memory',
  'memoryConnector.$self > agent.memory': 'connector',
  'memory.$self > agent.memory': 'connector',
}
/** Names that a handle also has: it was a call before it was a port. */
const OTHER_NAMES: Record<string, string> = { setMemorySource: '$memory', setMemoryConnector: 'memory' }

export function readGraph(given: unknown): { nodes: GraphNode[]; wires: Wire[] } {
  const { nodes, edges } = Object(given) as Record<string, unknown>
  needs(Array.isArray(nodes) && Array.isArray(edges), 'a graph is { nodes, edges }: two lists')
  const known = new Map<string, GraphNode>()
  for (const node of nodes.map(readNode)) {
    needs(!known.has(node.id), `two nodes of the graph are called "${node.id}"; give each its own id`)
    known.set(node.id, node)
  }
  return { nodes: [...known.values()], wires: edges.map((edge) => readEdge(edge, known)) }
}

function readNode(given: unknown): GraphNode {
  const { id, data } = Object(given) as Record<string, unknown>
  needs(typeof id === 'string' && id !== '', 'a node of a graph is { id, data: { template, config } }')
  const { template, config = {} } = Object(data) as Record<string, unknown>
  const known = TEMPLATES.find((name) => name === template)
  if (known === undefined)
    throw new MemoryError(
      'INVALID_INPUT',
      `node "${id}" has the unknown template ${JSON.stringify(template)}; there are ${TEMPLATES.join(', ')}`,
    )
  const isObject = typeof config === 'object' && config !== null && !Array.isArray(config)
  needs(isObject, `the config of node "${id}" must be an object`)
  return { id, template: known, config: config as Record<string, unknown> }
}

function readEdge(given: unknown, nodes: ReadonlyMap<string, GraphNode>): Wire {
  const edge = Object(given) as Record<string, unknown>
  const names = [edge.source, edge.sourceHandle, edge.target, edge.targetHandle]
  needs(
    names.every((name) => typeof name === 'string'),
    'an edge of a graph is { source, sourceHandle, target, targetHandle }',
  )
  const [sourceId, sourceHandle, targetId, targetHandle] = names as [string, string, string, string]
  const source = getNode(nodes, sourceId)
  const target = getNode(nodes, targetId)
  const way = `${source.template}.${sourceHandle} > ${target.template}.${OTHER_NAMES[targetHandle] ?? targetHandle}`
  const kind = Object.hasOwn(WIRES, way) ? WIRES[way] : undefined
  if (kind !== undefined) return { kind, source, target }
  throw new MemoryError(
    'INVALID_INPUT',
    `nothing goes from ${sourceId} to ${targetId} by ${way}; there are ${Object.keys(WIRES).join(', ')}`,
  )
}

function getNode(nodes: ReadonlyMap<string, GraphNode>, id: string): GraphNode {
  const node = nodes.get(id)
  if (node) return node
  throw new MemoryError('INVALID_INPUT', `an edge of the graph names "${id}", which is no node of it`)
}
