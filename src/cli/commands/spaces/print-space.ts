import type { Space } from '../../../core/accounts/model.ts'
import { writeLines, writePieces } from '../../../util/terminal/output.ts'
import { jsonPieces } from '../../../util/text/json-pieces.ts'
import type { Context } from '../../base/command.ts'
import { spaceJson } from '../../layout/spaces.ts'

/** What became of a space: the space as JSON, or one line about it. */
export async function printSpace(
  { out }: Context,
  space: Space,
  { json, line }: { json: boolean; line: string },
): Promise<0> {
  if (json) await writePieces(out, jsonPieces(spaceJson(space)))
  else await writeLines(out, [line])
  return 0
}
