import { NODE_TYPES } from '../model.ts'

/** A line of a text that could be taken for one of ours, whatever it is indented with. */
const OURS = new RegExp(
  String.raw`^(?=[^\S\n]*(?:\[(?:${NODE_TYPES.join('|')})\] .*\(id=|… |(?:not found|over budget): ))`,
  'gm',
)

/** A text of the memory with a backslash before each line that could be taken for one of an answer. */
export function notOurs(text: string): string {
  return text.replace(OURS, '\\')
}
