import { describe, expect, test } from 'vitest'
import { readGraph } from './graph.ts'

const node = (id: string, template: string, config?: unknown) => ({ id, data: { template, config } })
const edge = (source: string, sourceHandle: string, target: string, targetHandle: string) => ({
  source,
  sourceHandle,
  target,
  targetHandle,
})
const NODES = [node('M', 'memory'), node('A', 'agent'), node('T', 'memoryTool'), node('C', 'memoryConnector')]

describe('readGraph', () => {
  test('accepts an edge for everything that can be wired', () => {
    const edges = [
      edge('A', 'tools', 'T', '$self'),
      edge('M', '$self', 'T', '$memory'),
      edge('M', '$self', 'C', '$memory'),
      edge('C', '$self', 'A', 'memory'),
      edge('M', '$self', 'A', 'setMemoryConnector'),
      edge('M', '$self', 'C', 'setMemorySource'),
    ]
    expect(readGraph({ nodes: NODES, edges }).wires.map(({ kind }) => kind)).toEqual([
      'tool',
      'memory',
      'memory',
      'connector',
      'connector',
      'memory',
    ])
  })

  test('ignores members of nodes and edges that do not concern the memory', () => {
    const nodes = [{ ...NODES[0], position: { x: 1, y: 2 } }, NODES[2]]
    const edges = [{ ...edge('M', '$self', 'T', '$memory'), id: 'e1' }]
    expect(readGraph({ nodes, edges }).nodes).toHaveLength(2)
  })

  test('ignores other templates and edges that do not concern the memory', () => {
    const nodes = [
      ...NODES,
      node('B', 'agent'),
      node('S', 'slackTrigger', 'any config'),
      node('X', 'shellTool', null),
    ]
    const edges = [
      edge('S', 'subscribe', 'A', '$self'),
      edge('A', 'tools', 'X', '$self'),
      edge('A', 'tools', 'T', '$self'),
      edge('T', 'other', 'X', '$memory'),
      edge('S', 'constructor', 'X', '__proto__'),
      edge('A', 'handoff', 'B', '$self'),
      { source: 'S', sourceHandle: null, target: 'X' },
      edge('M', '$self', 'T', '$memory'),
    ]
    const graph = readGraph({ nodes, edges })
    expect(graph.nodes.map(({ id }) => id)).toEqual(['M', 'A', 'T', 'C', 'B'])
    expect(graph.wires.map(({ kind, target }) => [kind, target.id])).toEqual([
      ['tool', 'T'],
      ['memory', 'T'],
    ])
  })

  test.each([
    [undefined, 'a graph is { nodes, edges }'],
    [{ nodes: [] }, 'a graph is { nodes, edges }'],
    [{ nodes: [{}], edges: [] }, 'a node of a graph is'],
    [{ nodes: [{ id: 'X' }], edges: [] }, 'node "X" has no template'],
    [{ nodes: [node('M', 'slackTrigger'), node('M', 'memory')], edges: [] }, 'duplicate node id "M"'],
    [
      { nodes: [node('S', 'slackTrigger')], edges: [edge('S', 'subscribe', 'X', '$self')] },
      'names the unknown node "X"',
    ],
    [{ nodes: [node('X', 'agent', 'none')], edges: [] }, 'the config of node "X" must be an object'],
    [{ nodes: [node('M', 'memory'), node('M', 'agent')], edges: [] }, 'duplicate node id "M"'],
    [{ nodes: NODES, edges: [{}] }, 'an edge of a graph is'],
    [{ nodes: NODES, edges: [edge('M', '$self', 'X', '$memory')] }, 'names the unknown node "X"'],
    [
      { nodes: NODES, edges: [edge('M', '$other', 'T', '$memory')] },
      'memory.$other > memoryTool.$memory; valid edges:',
    ],
    [{ nodes: NODES, edges: [edge('T', '$self', 'M', '$memory')] }, 'invalid edge from T to M'],
    [{ nodes: NODES, edges: [edge('M', '__proto__', 'T', 'constructor')] }, 'invalid edge from M to T'],
  ])('rejects %j', (graph, message) => {
    expect(() => readGraph(graph)).toThrow(message)
  })
})
