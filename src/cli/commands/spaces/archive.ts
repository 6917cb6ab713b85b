import { defineCommand } from '../../base/command.ts'
import { withSpaces } from '../../base/with-spaces.ts'
import { printSpace } from './print-space.ts'

export const command = defineCommand({
  parameters: { name: { kind: 'text', help: 'The space' } },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  names: ['spaces'],
  examples: ['remindb spaces archive ops --spaces team'],

  async run(context, { parameters: { name }, flags: { json } }) {
    const space = await withSpaces(context, (spaces) => spaces.archive(name))
    const line = `archived the space ${name}; it is kept, and nobody can use it until \`remindb spaces unarchive\``
    return printSpace(context, space, { json, line })
  },
})
