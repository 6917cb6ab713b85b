import { needs } from '../errors.ts'
import { type Connector, createConnector } from './connector.ts'
import type { ConnectorConfig } from './connector-config.ts'
import type { FilesHolder, MemoryNode } from './door.ts'
import { type GraphNode, type MemoryGraph, readGraph, type Wire } from './graph.ts'
import { createMemoryTool, type MemoryTool } from './memory-tool.ts'
import { type MemoryNodeConfig, readMemoryConfig } from './model.ts'

export interface WiredAgent {
  id: string
  /** In the order of the graph's edges; no two have the same name. */
  tools: MemoryTool[]
  connector?: Connector
}

/** The wired parts of a graph, by node id. */
export interface WiredGraph {
  memories: Map<string, MemoryNode>
  tools: Map<string, MemoryTool>
  connectors: Map<string, Connector>
  agents: Map<string, WiredAgent>
}

/** Creates the tools and connectors of a graph on the files of a memory. A tool without a memory answers ENOTMEM. */
export function wireMemoryTools(memory: FilesHolder, graph: MemoryGraph): WiredGraph {
  const { nodes, wires } = readGraph(graph)
  const made = <T>(template: GraphNode['template'], make: (node: GraphNode) => T): Map<string, T> =>
    new Map(nodes.filter((node) => node.template === template).map((node) => [node.id, make(node)]))
  const wired: WiredGraph = {
    memories: made('memory', (node) => memory.memoryNode(memoryConfig(node))),
    tools: made('memoryTool', ({ config }) => createMemoryTool(config)),
    connectors: made('memoryConnector', ({ config }) => createConnector(config as Partial<ConnectorConfig>)),
    agents: made('agent', ({ id }) => ({ id, tools: [] })),
  }
  checkOneMemory(wires)
  for (const wire of wires) connect(wired, wire)
  return wired
}

/** A node's title and the prefix of its collection do not concern its files. */
function memoryConfig({ id, config }: GraphNode): MemoryNodeConfig {
  const { title: _title, collectionPrefix: _prefix, ...others } = config
  return readMemoryConfig({ id, ...others }, `the config of node "${id}"`)
}

function checkOneMemory(wires: readonly Wire[]): void {
  const seen = new Set<string>()
  for (const { kind, target } of wires.filter((wire) => wire.kind !== 'tool')) {
    needs(!seen.has(target.id), `node "${target.id}" has two edges that give it a ${kind}; remove one`)
    seen.add(target.id)
  }
}

function connect({ memories, tools, connectors, agents }: WiredGraph, { kind, source, target }: Wire): void {
  if (kind === 'memory') {
    const part = tools.get(target.id) ?? connectors.get(target.id)
    part?.setMemorySource(memories.get(source.id) as MemoryNode)
  } else if (kind === 'tool') addTool(agents.get(source.id) as WiredAgent, tools.get(target.id) as MemoryTool)
  else {
    const agent = agents.get(target.id) as WiredAgent
    agent.connector = connectors.get(source.id) ?? plainConnector(memories.get(source.id) as MemoryNode)
  }
}

function addTool(agent: WiredAgent, tool: MemoryTool): void {
  const { name } = tool.config
  needs(
    agent.tools.every(({ config }) => config.name !== name),
    `agent "${agent.id}" has two tools called "${name}"; give one of them another name`,
  )
  agent.tools.push(tool)
}

function plainConnector(node: MemoryNode): Connector {
  const connector = createConnector()
  connector.setMemorySource(node)
  return connector
}
