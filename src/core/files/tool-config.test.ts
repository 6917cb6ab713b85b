import { describe, expect, test } from 'vitest'
import { readConnectorConfig } from './connector-config.ts'
import { createMemoryTool } from './memory-tool.ts'
import { readMemoryConfig } from './model.ts'
import { readToolConfig } from './tool-config.ts'

describe('the config of a tool', () => {
  test('has defaults for missing values', () => {
    expect(readToolConfig({})).toEqual({
      name: 'memory',
      description: 'Unified Memory tool: read, list, append, update, delete',
      title: 'Memory',
      commands: ['read', 'list', 'append', 'update', 'delete'],
    })
    expect(readToolConfig({ description: 'Mine' })).toMatchObject({ name: 'memory', description: 'Mine' })
    expect(readToolConfig({ name: 'notes_2' })).toMatchObject({ name: 'notes_2', title: 'Memory' })
  })

  test('describes the commands of a restricted tool', () => {
    expect(readToolConfig({ commands: ['list', 'read'] })).toMatchObject({
      description: 'Unified Memory tool: read, list',
      commands: ['read', 'list'],
    })
  })

  test.each([
    { name: 'Bad-Name' },
    { name: '' },
    { name: 'a'.repeat(65) },
    { name: 7 },
    { description: '' },
    { title: '' },
    { commands: [] },
    { commands: ['read', 'view'] },
    { commands: 'read' },
    { colour: 'red' },
    [],
    null,
    'memory',
  ])('rejects %j', (given) => {
    expect(() => readToolConfig(given)).toThrow(/^Invalid Memory tool config: /)
  })

  test('stays unchanged if a new config is invalid', () => {
    const tool = createMemoryTool({ name: 'notes' })
    expect(() => tool.setConfig({ name: 'Bad-Name' })).toThrow('Invalid Memory tool config')
    expect(tool.config.name).toBe('notes')
    tool.setConfig({ name: 'plans' })
    expect(tool.config.name).toBe('plans')
  })
})

describe('the config of a memory node', () => {
  test.each([
    [{ id: 'm' }, { id: 'm', scope: 'global' }],
    [
      { id: 'm', scope: 'thread' },
      { id: 'm', scope: 'perThread' },
    ],
    [
      { id: 'm', scope: 'perThread', thread: 't1' },
      { id: 'm', scope: 'perThread', thread: 't1' },
    ],
  ])('accepts %j', (given, config) => {
    expect(readMemoryConfig(given, 'it')).toEqual(config)
  })

  test.each([
    {},
    { id: '' },
    { id: 'm', scope: 'all' },
    { id: 'm', thread: 't1' },
    { id: 'm', scope: 'perThread', thread: ' ' },
    { id: 'm', colour: 'red' },
    [],
    null,
  ])('rejects %j', (given) => {
    expect(() => readMemoryConfig(given, 'it')).toThrow(/^it/)
  })
})

describe('the config of a connector', () => {
  test('has defaults for missing values', () => {
    expect(readConnectorConfig()).toEqual({ placement: 'after_system', content: 'tree', maxChars: 4000 })
    expect(readConnectorConfig({ content: 'full', maxChars: undefined })).toMatchObject({
      content: 'full',
      maxChars: 4000,
    })
  })

  test.each([
    { placement: 'first' },
    { content: 'all' },
    { maxChars: 0 },
    { maxChars: 20_001 },
    { maxChars: 1.5 },
    { maxChars: '100' },
    { colour: 'red' },
    null,
    [],
  ])('rejects %j', (given) => {
    expect(() => readConnectorConfig(given)).toThrow(/^Invalid Memory connector config: /)
  })
})
