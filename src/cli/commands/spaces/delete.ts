import { MemoryError } from '../../../core/errors.ts'
import { plural } from '../../../util/text/units.ts'
import { defineCommand } from '../../base/command.ts'
import { withSpaces } from '../../base/with-spaces.ts'
import { printSpace } from './print-space.ts'

export const command = defineCommand({
  parameters: { name: { kind: 'text', help: 'The space' } },
  flags: {
    yes: { kind: 'switch', help: 'Do it; without it, nothing is deleted' },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  names: ['spaces'],
  examples: ['remindb spaces delete ops --yes --spaces team'],

  async run(context, { parameters: { name }, flags: { yes, json } }) {
    return withSpaces(context, async (spaces) => {
      if (!yes) {
        const { members, keys } = await spaces.stats(name)
        throw new MemoryError(
          'INVALID_INPUT',
          `nothing was deleted; to delete the space ${name} for good, with its memory, ${plural(members, 'member')} and ${plural(keys, 'key')}, add --yes`,
        )
      }
      const space = await spaces.delete(name)
      return printSpace(context, space, { json, line: `deleted the space ${name}` })
    })
  },
})
