import { preparePiece } from '../doors/append-text.ts'
import { prepareText } from '../doors/put-text.ts'
import { prepareFile } from '../files/document.ts'
import { type Preparation, prepareRedacted } from '../prepare.ts'
import { prepareEditedText } from '../tree/edited-text.ts'
import { preparePayload } from '../tree/prepare-payload.ts'

/** Every preparation. A thread looks them up here by name. */
export const PREPARATIONS: readonly Preparation<never, unknown>[] = [
  prepareEditedText,
  prepareFile,
  preparePayload,
  preparePiece,
  prepareRedacted,
  prepareText,
]
