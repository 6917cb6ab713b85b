import { existsSync } from 'node:fs'
import {
  type ErasedDocument,
  type Erasure,
  erasedLines,
  eraseJson,
  wouldEraseLines,
} from '../../core/render/erase-text.ts'
import type { Memory } from '../../runtime/memory/open-memory.ts'
import type { NamedDocument } from '../../runtime/places/named-documents.ts'
import { writeLines, writePieces } from '../../util/terminal/output.ts'
import { jsonPieces } from '../../util/text/json-pieces.ts'
import { defineCommand } from '../base/command.ts'
import { withMemory } from '../base/databases.ts'
import { getDocument } from '../base/named-document.ts'

export const command = defineCommand({
  parameters: {
    document: {
      kind: 'text',
      help: 'A path, record:…, key:… or file:… as tree shows it, the id of a record, memory://… of a key, or the id of a node: then all of its document',
    },
  },
  flags: {
    yes: { kind: 'switch', help: 'Erase; without it, only show what would be erased' },
    json: { kind: 'switch', help: 'Print JSON' },
    author: { kind: 'setting', value: 'NAME', setting: 'author' },
  },
  examples: [
    'remindb erase notes/secret.md',
    'remindb erase key:release-cadence --yes',
    'remindb erase 25FHWVYdid1 --yes',
  ],

  async run(context, { parameters: { document: name }, flags }) {
    const { out, cwd } = context
    const work = async (memory: Memory): Promise<0 | 1> => {
      const found = await getDocument(memory, name, cwd)
      const document = describe(found)
      // A document that is already gone needs no --yes: this reports whether it is gone from the disk too. A redacted key
      // may still have its tags.
      const isGone = found.state === 'erased' && !found.hasTags
      const erasure = flags.yes || isGone ? await memory.erase(found.address) : null
      if (flags.json) await writePieces(out, jsonPieces(eraseJson(document, erasure)))
      else await writeLines(out, linesOf(document, erasure))
      return erasure?.scrubbed ? 0 : 1
    }
    return withMemory(context, work, { author: flags.author })
  },
})

function describe({ name, address: { kind }, state, nodes, nodeId }: NamedDocument): ErasedDocument {
  return { name, kind, state, nodes, nodeId, fileExists: kind === 'source' && existsSync(name) }
}

function linesOf(document: ErasedDocument, erasure: Erasure | null): string[] {
  return erasure ? erasedLines(document, erasure) : wouldEraseLines(document)
}
