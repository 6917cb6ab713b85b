import { resolve } from 'node:path'
import { placesOf } from '../../runtime/places/places.ts'
import { ownTrustedPath } from '../../runtime/settings/config.ts'
import { untrustFolder } from '../../runtime/settings/trusted-folders.ts'
import { realOrSame } from '../../util/files/paths.ts'
import { writeLines } from '../../util/terminal/output.ts'
import { printable } from '../../util/text/printable.ts'
import { defineCommand } from '../base/command.ts'

export const command = defineCommand({
  parameters: { folder: { kind: 'text', help: 'The trusted folder; it may have been deleted' } },
  flags: {},
  examples: ['remindb untrust .'],

  async run({ out, cwd }, { parameters: { folder: named } }) {
    const path = resolve(cwd, named)
    const { isAtHome, home } = placesOf(path)
    const folder = isAtHome ? home : realOrSame(path)
    const wasTrusted = await untrustFolder(ownTrustedPath(), folder)
    const said = wasTrusted ? 'no longer trusted' : 'was not trusted; nothing changed'
    await writeLines(out, [`${printable(folder)}: ${said}`])
    return 0
  },
})
