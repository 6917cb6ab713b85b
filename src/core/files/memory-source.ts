import { MemoryError } from '../errors.ts'
import type { FileService, MemoryNode, ServiceChoice } from './door.ts'

/** The memory of a tool or a connector: a node, or a function that returns a service. */
export type MemorySource = Pick<MemoryNode, 'getMemoryService'> | MemoryNode['getMemoryService']

/** A function that returns services. Rejects an invalid source. */
export function readMemorySource(given: unknown): (choice?: ServiceChoice) => FileService {
  if (typeof given === 'function') return given as MemoryNode['getMemoryService']
  const node = Object(given) as Partial<MemoryNode>
  if (typeof node.getMemoryService === 'function')
    return (choice) => (node as MemoryNode).getMemoryService(choice)
  throw new MemoryError('INVALID_INPUT', 'Invalid argument to setMemorySource')
}
