import type { BlamedNode } from '../../../core/history/blame.ts'
import { asOfJson, asOfLines } from '../../../core/past/as-of-text.ts'
import type { Palette } from '../../../util/terminal/color.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { alignColumns } from '../../../util/terminal/table.ts'
import { elideMiddle } from '../../../util/text/elide.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import { printable } from '../../../util/text/printable.ts'
import { shellWord } from '../../../util/text/shell-word.ts'
import { formatAge } from '../../../util/text/units.ts'
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
    'as-of': {
      kind: 'text',
      value: 'MOMENT',
      help: 'As of this snapshot, checkpoint, date or time. Default: now',
    },
    json: { kind: 'switch', help: 'Print JSON' },
  },
  examples: [
    'remindb blame notes/team.md',
    'remindb blame notes/team.md --as-of yesterday',
    'remindb blame key:release-cadence --json',
  ],

  async run(context, { parameters: { document: named }, flags }) {
    const { out, palette, cwd } = context
    const asOf = flags['as-of']
    const page = pageOf(flags, /^\w+$/)
    await withMemory(context, async (memory) => {
      const { address, name } = await getDocument(memory, named, cwd, {
        rule: 'blame shows one document',
        asOf,
      })
      const answer = await memory.blame({ document: address, ...page, asOf })
      const { items, next } = answer
      if (flags.json) {
        const json = { document: name, ...asOfJson(answer), nodes: items.map(blameJson), next }
        return writePieces(out, jsonPieces(json))
      }
      if (items.length === 0) return writeLines(out, ['no blocks'])
      await writeLines(out, blameLines(items, Date.now(), palette))
      await writeLines(out, asOfLines(answer).map(palette.dim))
      const words = [
        'blame',
        shellWord(named),
        ...(asOf === undefined ? [] : ['--as-of', shellWord(asOf)]),
      ].join(' ')
      await tellNext(context, memory, { words, next, limit: flags.limit, label: 'more' })
    })
    return 0
  },
})

/** An author may be any text; the whole of it is in JSON. */
const AUTHOR_WIDTH = 30

/** `#12  3d  25FHWVYdid1  ada  Rent is due`: a line for each block, what others wrote last. */
function blameLines(items: readonly BlamedNode[], now: number, palette: Palette): string[] {
  const rows = items.map(({ id, label, depth, snapshot }) => [
    snapshot ? `#${snapshot.id}` : '#?',
    snapshot ? formatAge(Math.max(0, now - snapshot.createdAt) / 1000) : '?',
    id,
    snapshot ? elideMiddle(printable(snapshot.author), AUTHOR_WIDTH) : '?',
    `${'  '.repeat(depth)}${printable(label)}`,
  ])
  return alignColumns(rows).map((line) => line.replace(/^#\S+/, (name) => palette.bold(name)))
}

function blameJson({ id, type, label, depth, snapshot }: BlamedNode) {
  return {
    ...{ id, type, label, depth },
    snapshot_id: snapshot?.id ?? null,
    author: snapshot?.author ?? null,
    operation: snapshot?.operation ?? null,
    message: snapshot?.message ?? null,
    created_at: snapshot ? Math.floor(snapshot.createdAt / 1000) : null,
  }
}
