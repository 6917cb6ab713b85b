import type { DoorAddress } from '../doors/put-text.ts'
import type { TakeRetold } from '../doors/retell.ts'
import { putFile } from './put-file.ts'

/** A file may be of any length. */
export const retellFile: TakeRetold = async (deps, context, { address }, text) => {
  const { kind: _, path, ...memory } = address as DoorAddress & { kind: 'file' }
  await putFile(deps, context, { memory, path, content: text })
}
