import { plural } from '../../util/text/units.ts'
import { beginningWithin, jsonLength } from '../fit-json.ts'
import type { RecordJson } from './model.ts'

/** Maximum length of `left_out`, with its name. */
const NOTE_LENGTH = 250

/**
 * The record in at most `maxLength` characters of JSON. A longer one keeps the beginning of its content and as many
 * whole tags and blockers as fit; `left_out` counts the rest and names the call that shows the whole record.
 */
export function fitRecord(record: RecordJson, maxLength: number): RecordJson {
  if (jsonLength(record) <= maxLength) return record
  const { tags, content, task_metadata: task } = record
  const { outcome, blockers = [], ...status } = task ?? {}
  const bare = { ...record, tags: [], content: '', task_metadata: { ...status, outcome: '', blockers: [] } }
  const room = createRoom(maxLength - jsonLength(bare) - NOTE_LENGTH)
  const keptTags = room.takeItems(tags)
  const keptContent = room.takeText(content)
  const keptOutcome = room.takeItems(outcome === undefined ? [] : [outcome])
  const keptBlockers = room.takeItems(blockers)
  const left = [
    ...missing(content.length - keptContent.length, 'character of the content', 'characters of the content'),
    ...missing(tags.length - keptTags.length, 'tag'),
    ...(outcome !== undefined && keptOutcome.length === 0 ? ['the outcome'] : []),
    ...missing(blockers.length - keptBlockers.length, 'blocker'),
  ]
  return {
    ...record,
    content: keptContent === content ? content : `${keptContent}…`,
    tags: keptTags,
    ...(task && {
      task_metadata: {
        ...{ ...status, status: task.status },
        ...(task.blockers && { blockers: keptBlockers }),
        ...(keptOutcome[0] !== undefined && { outcome: keptOutcome[0] }),
      },
    }),
    left_out: `${left.join(', ')}; whole: ${wholeCall(record)}`,
  }
}

function missing(count: number, word: string, words?: string): string[] {
  return count > 0 ? [plural(count, word, words)] : []
}

function wholeCall({ id, archived }: RecordJson): string {
  return `query_memories id=${id}${archived ? ' archived=true' : ''} limit=1`
}

/** Hands out `left` characters of JSON, first come, first served. */
function createRoom(left: number) {
  return {
    takeItems(items: readonly string[]): string[] {
      const end = items.findIndex((item) => {
        const length = jsonLength(item) + 1
        if (length > left) return true
        left -= length
        return false
      })
      return items.slice(0, end < 0 ? items.length : end)
    },
    /** The beginning of a text, up to the end of a word if possible. */
    takeText(text: string): string {
      // Room for the ellipsis.
      const fitting = beginningWithin(text, left - 1)
      left -= jsonLength(fitting)
      if (fitting === text) return text
      const word = fitting.search(/\s\S*$/)
      return word > fitting.length / 2 ? fitting.slice(0, word) : fitting
    },
  }
}
