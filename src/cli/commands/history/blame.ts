import { blameJson, blameLines } from '../../../core/render/blame-text.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { shellWord } from '../../../util/text/shell-word.ts'
import { defineCommand } from '../../base/command.ts'
import { withMemory } from '../../base/databases.ts'
import { getDocument } from '../../base/named-document.ts'
import { PAGE_FLAGS, pageOf, tellNext } from '../../base/pages.ts'

export const command = defineCommand({
  parameters: {
    document: {
      kind: 'text',
      help: 'A path, record:…, key:… or file:… as tree shows it, the id of a record, or the id of a node: then its document',
    },
  },
  flags: {
    ...PAGE_FLAGS,
    limit: { ...PAGE_FLAGS.limit, help: 'At most this many blocks. Default: 200' },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: ['remindb blame notes/team.md', 'remindb blame key:release-cadence --json'],

  async run(context, { parameters: { document: named }, flags }) {
    const { out, palette, cwd } = context
    const page = pageOf(flags, /^\w+$/)
    await withMemory(context, async (memory) => {
      const { address, name } = await getDocument(memory, named, cwd, 'blame shows one document')
      const { items, next } = await memory.blame({ document: address, ...page })
      if (flags.json)
        return writePieces(out, jsonPieces({ document: name, nodes: items.map(blameJson), next }))
      if (items.length === 0) return writeLines(out, ['no blocks'])
      await writeLines(out, blameLines(items, Date.now(), palette))
      const words = `blame ${shellWord(named)}`
      await tellNext(context, memory, { words, next, limit: flags.limit, label: 'more' })
    })
    return 0
  },
})
