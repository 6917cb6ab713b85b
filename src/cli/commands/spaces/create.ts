import { resolve } from 'node:path'
import { namedDatabaseFile } from '../../../runtime/places/places.ts'
import { printable } from '../../../util/text/printable.ts'
import { defineCommand } from '../../base/command.ts'
import { withSpaces } from '../../base/with-spaces.ts'
import { printSpace } from './print-space.ts'

export const command = defineCommand({
  parameters: { name: { kind: 'text', help: 'Lower-case letters, digits and dashes, at most 63' } },
  flags: {
    from: {
      kind: 'text',
      value: 'PATH',
      help: 'Begin with a copy of this memory: its database file, or the folder that has it in its .remindb. Default: empty',
    },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  names: ['spaces'],
  examples: [
    'remindb spaces create ops --spaces team',
    'remindb spaces create notes --from ~/notes --spaces team',
  ],

  async run(context, { parameters: { name }, flags: { from, json } }) {
    const copied = from === undefined ? undefined : namedDatabaseFile(resolve(context.cwd, from))
    const create = { create: true }
    const space = await withSpaces(context, (spaces) => spaces.create({ name, from: copied }), create)
    const line = `created the space ${space.name}${from === undefined ? '' : ` from ${printable(from)}`}`
    return printSpace(context, space, { json, line })
  },
})
