import { defineCommand } from '../../base/command.ts'
import { withSpaces } from '../../base/with-spaces.ts'
import { printSpace } from './print-space.ts'

export const command = defineCommand({
  parameters: { name: { kind: 'text', help: 'The space' } },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  names: ['spaces'],
  examples: ['remindb spaces unarchive ops --spaces team'],

  async run(context, { parameters: { name }, flags: { json } }) {
    const space = await withSpaces(context, (spaces) => spaces.unarchive(name))
    return printSpace(context, space, { json, line: `the space ${name} can be used again` })
  },
})
