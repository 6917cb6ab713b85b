import { defineCommand } from '../../base/command.ts'
import { withSpaces } from '../../base/with-spaces.ts'
import { printSpace } from './print-space.ts'

export const command = defineCommand({
  parameters: {
    name: { kind: 'text', help: 'The space' },
    'new-name': { kind: 'text', help: 'Its new name' },
  },
  flags: { json: { kind: 'switch', help: 'Print JSON' } },
  names: ['spaces'],
  examples: ['remindb spaces rename ops platform --spaces team'],

  async run(context, { parameters: { name, 'new-name': to }, flags: { json } }) {
    const space = await withSpaces(context, (spaces) => spaces.rename(name, to))
    return printSpace(context, space, { json, line: `renamed the space ${name} to ${space.name}` })
  },
})
