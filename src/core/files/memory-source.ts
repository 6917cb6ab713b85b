import { MemoryError } from '../errors.ts'
import type { FileService, MemoryNode, ServiceChoice } from './door.ts'

/** What a tool or a connector can be given as its memory: a node, or what makes a service. */
export type MemorySource = Pick<MemoryNode, 'getMemoryService'> | MemoryNode['getMemoryService']

/** Makes services of a source. Refuses what is none. */
export function readMemorySource(given: unknown): (choice?: ServiceChoice) => FileService {
  if (typeof given === 'function') return given as MemoryNode['getMemoryService']
  const node = Object(given) as Partial<MemoryNode>
  if (typeof node.getMemoryService === 'function')
    return (choice) => (node as MemoryNode).getMemoryService(choice)
  throw new MemoryError('INVALID_INPUT', 'Invalid argument to setMemorySource')
}
