import { describe, expect, test } from 'vitest'
import { wireMemoryTools } from '../../src/index.ts'
import { openWorkspace } from '../support/engine.ts'

/** The graph of the seed page, as it stands there. */
const SEED = `{
  "nodes": [
    { "id": "M", "data": { "template": "memory", "config": { "scope": "global" } } },
    { "id": "A", "data": { "template": "agent", "config": {} } },
    { "id": "T1", "data": { "template": "memoryTool", "config": { "name": "memory_readonly", "description": "Read-only memory tool", "title": "Mem Read" } } },
    { "id": "T2", "data": { "template": "memoryTool", "config": { "name": "memory_write", "description": "Write memory tool", "title": "Mem Write" } } }
  ],
  "edges": [
    { "source": "A", "sourceHandle": "tools", "target": "T1", "targetHandle": "$self" },
    { "source": "A", "sourceHandle": "tools", "target": "T2", "targetHandle": "$self" },
    { "source": "M", "sourceHandle": "$self", "target": "T1", "targetHandle": "$memory" },
    { "source": "M", "sourceHandle": "$self", "target": "T2", "targetHandle": "$memory" }
  ]
}`

const wires = (...edges: string[]) =>
  edges.map((edge) => {
    const [source, sourceHandle, target, targetHandle] = edge.split(' ') as [string, string, string, string]
    return { source, sourceHandle, target, targetHandle }
  })
const node = (id: string, template: string, config = {}) => ({ id, data: { template, config } })

describe('a graph of memory tools', () => {
  test('is wired as its page has it: two tools, one memory', async () => {
    await using at = await openWorkspace()
    const { agents, memories } = wireMemoryTools(at.memory, JSON.parse(SEED))
    const tools = agents.get('A')?.tools ?? []
    expect(tools.map(({ config }) => config)).toMatchObject([
      { name: 'memory_readonly', description: 'Read-only memory tool', title: 'Mem Read' },
      { name: 'memory_write', description: 'Write memory tool', title: 'Mem Write' },
    ])
    const [readonly, write] = tools
    expect(await write?.call({ path: '/notes/today', command: 'append', content: 'hello' })).toBe(
      '{"command":"append","path":"/notes/today","ok":true,"result":{"status":"ok"}}',
    )
    expect(await readonly?.call({ path: '/notes/today', command: 'read' })).toBe(
      '{"command":"read","path":"/notes/today","ok":true,"result":{"content":"hello"}}',
    )
    expect(await memories.get('M')?.getMemoryService().dump()).toEqual({
      nodeId: 'M',
      scope: 'global',
      data: { '/notes/today': 'hello' },
      dirs: { '/notes': true },
    })
  })

  test('has read-only tools that are read-only, where it says what they may do', async () => {
    await using at = await openWorkspace()
    const graph = JSON.parse(SEED)
    graph.nodes[2].data.config.commands = ['read', 'list']
    const [readonly] = wireMemoryTools(at.memory, graph).agents.get('A')?.tools ?? []
    expect(await readonly?.run({ path: '/x', command: 'append', content: 'y' })).toMatchObject({
      ok: false,
      error: { code: 'EINVAL', message: 'command not allowed: append; this tool allows read, list' },
    })
  })

  test('has connectors: one of its own, or a plain one', async () => {
    await using at = await openWorkspace()
    const { agents, memories } = wireMemoryTools(at.memory, {
      nodes: [
        node('M', 'memory', { scope: 'perThread', title: 'Notes', collectionPrefix: 'x' }),
        node('A', 'agent'),
        node('B', 'agent'),
        node('C', 'memoryConnector', { placement: 'last_message', content: 'full' }),
      ],
      edges: wires('M $self C $memory', 'C $self A memory', 'M $self B memory'),
    })
    await memories.get('M')?.getMemoryService({ threadId: 't' }).append('/f', 'x')
    const render = (agent: string) => agents.get(agent)?.connector?.render({ threadId: 't' })
    expect(await render('A')).toEqual({ role: 'system', content: 'Memory\n/f: "x"' })
    expect(await render('B')).toEqual({ role: 'system', content: 'Memory\n/\n[F] f' })
  })

  test('may be part of a larger one: other templates and their edges are passed over', async () => {
    await using at = await openWorkspace()
    const graph = JSON.parse(SEED)
    graph.nodes.push(node('S', 'slackTrigger', { channel: 'ops' }), {
      id: 'X',
      data: { template: 'mcpServer' },
    })
    graph.edges.push(...wires('S subscribe A $self', 'A mcp X $self'))
    const { agents, tools } = wireMemoryTools(at.memory, graph)
    expect([...agents.keys()]).toEqual(['A'])
    expect([...tools.keys()]).toEqual(['T1', 'T2'])
    expect(await agents.get('A')?.tools[0]?.run({ path: '/', command: 'list' })).toMatchObject({ ok: true })
  })

  test('may leave a tool without a memory: it says so when it is called', async () => {
    await using at = await openWorkspace()
    const { tools } = wireMemoryTools(at.memory, { nodes: [node('T', 'memoryTool')], edges: [] })
    expect(await tools.get('T')?.run({ path: '/', command: 'list' })).toMatchObject({
      error: { code: 'ENOTMEM' },
    })
  })

  test.each([
    [[node('T', 'memoryTool', { name: 'Bad-Name' })], [], 'Invalid Memory tool config'],
    [[node('C', 'memoryConnector', { maxChars: 0 })], [], 'Invalid Memory connector config'],
    [[node('M', 'memory', { scope: 'all' })], [], 'the config of node "M": scope must be'],
    [
      [node('A', 'agent'), node('T', 'memoryTool'), node('U', 'memoryTool')],
      wires('A tools T $self', 'A tools U $self'),
      'agent "A" has two tools called "memory"',
    ],
    [
      [node('M', 'memory'), node('N', 'memory'), node('T', 'memoryTool')],
      wires('M $self T $memory', 'N $self T $memory'),
      'node "T" has two edges that give it a memory',
    ],
  ])('is refused where it cannot work: %j', async (nodes, edges, message) => {
    await using at = await openWorkspace()
    expect(() => wireMemoryTools(at.memory, { nodes, edges })).toThrow(message)
  })
})
