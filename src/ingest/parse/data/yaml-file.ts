import type { Block } from '../../../core/model.ts'
import type { ParseOptions } from '../parse-options.ts'
import { splitBlocks } from '../split.ts'
import { normalizeSource } from '../whitespace.ts'
import { structuredBlocks } from './structured.ts'
import { loadYamlDocuments } from './yaml.ts'

/** The nodes of a YAML file, one document of it after the other. Throws ParseError. */
export function parseYaml(text: string, options: ParseOptions): Block[] {
  const documents = loadYamlDocuments(normalizeSource(text))
  return splitBlocks(
    documents.flatMap((document) => structuredBlocks(document, options)),
    options,
  )
}
