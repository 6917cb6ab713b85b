import { hash } from 'node:crypto'

/** Over the text's UTF-8 bytes, in hex. */
export function sha256(text: string): string {
  return hash('sha256', text)
}
