import { ERROR_CODES, MemoryError } from '../../src/core/errors.ts'
import { wordOf } from '../../src/mcp/model/error-words.ts'
import { resourceError } from '../../src/mcp/model/errors.ts'
import { anchorOf, code, type GeneratedTable } from './table.ts'

export function errorTables(): GeneratedTable[] {
  const rows = ERROR_CODES.map((name) => {
    const error = new MemoryError(name, '')
    const { code: number } = resourceError(error, 'remindb://overview')
    return [`[${code(name)}](${anchorOf(name)})`, code(`${number}`), code(wordOf(error))]
  })
  return [{ heading: 'Errors', columns: ['code', 'JSON-RPC', 'records and `memory://`'], rows }]
}
