import { plural } from '../../util/text/units.ts'
import type { SearchHit } from '../find/search-model.ts'
import type { QuestionInput } from './model.ts'

/** What a person approved of the hits of a search; or why that cannot be. */
export type Approved = Pick<QuestionInput, 'nodes' | 'paths'> | { refused: string }

/** `1 3` approves two nodes, `2f` the file of the second hit; an empty text nothing. */
export function parseApproved(text: string, hits: readonly Pick<SearchHit, 'id' | 'path'>[]): Approved {
  const nodes: string[] = []
  const paths: string[] = []
  for (const word of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const [, number = '', isFile] = /^(\d+)(f?)$/i.exec(word) ?? []
    const hit = hits[Number(number) - 1]
    if (!hit)
      return {
        refused: `"${word}" is not a hit: ${plural(hits.length, 'hit')}, such as 1, or 1f for its file`,
      }
    if (isFile) paths.push(hit.path)
    else nodes.push(hit.id)
  }
  return { ...(nodes.length > 0 && { nodes }), ...(paths.length > 0 && { paths }) }
}

/** The line of a file. */
export function questionLine(question: QuestionInput): string {
  return JSON.stringify(question)
}
