import type { RelateTarget } from '../../core/tree/relate.ts'
import { UsageError } from './command.ts'

/** The arguments of `relate` and `unrelate`: the node, and its target. */
export const TARGET_PARAMETERS = {
  source: { kind: 'text', help: 'The id of the source node' },
  target: { kind: 'text', optional: true, help: 'The id of the target node' },
} as const

export const TARGET_FLAGS = {
  label: {
    kind: 'text',
    value: 'TEXT',
    help: 'Instead of a target: its heading, even one that does not exist yet',
  },
  source: {
    kind: 'text',
    value: 'PATH',
    help: 'With --label: the file of the heading, or the end of its path',
  },
} as const

export function relateTarget(
  parameters: { source: string; target: string | undefined },
  flags: { label: string | undefined; source: string | undefined },
): RelateTarget {
  const { source: sourceId, target: targetId } = parameters
  if ((targetId === undefined) === (flags.label === undefined))
    throw new UsageError('give either the id of the target or --label')
  if (flags.source !== undefined && flags.label === undefined)
    throw new UsageError('--source requires --label')
  return {
    sourceId,
    ...(targetId === undefined ? {} : { targetId }),
    ...(flags.label === undefined ? {} : { targetLabel: flags.label }),
    ...(flags.source === undefined ? {} : { targetSource: flags.source }),
  }
}
