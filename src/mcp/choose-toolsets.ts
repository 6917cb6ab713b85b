import { MemoryError } from '../core/errors.ts'
import { TOOLSETS, type Toolset } from './model/tool.ts'

/** The toolsets with these names, in one order whatever the order of the names. `all`: every one. Throws INVALID_INPUT. */
export function chooseToolsets(names: readonly string[], offered: readonly Toolset[] = TOOLSETS): Toolset[] {
  const unknown = names.find((name) => name !== 'all' && !offered.some((known) => known === name))
  if (unknown !== undefined || names.length === 0) {
    const what = unknown === undefined ? 'no toolset is given' : `there is no toolset "${unknown}"`
    throw new MemoryError('INVALID_INPUT', `${what}; there are ${[...offered, 'all'].join(', ')}`)
  }
  return offered.filter((toolset) => names.includes('all') || names.includes(toolset))
}
