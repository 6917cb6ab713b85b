import { JsonReader } from './json-reader.ts'

/** As `JSON.parse`, but its error, a ParseError, names the line, while that of `JSON.parse` quotes the text. */
export function parseJsonValue(text: string): unknown {
  const reader = new JsonReader(text)
  reader.readValue()
  if (!reader.isAtEnd()) reader.fail('expected the end after one value')
  return JSON.parse(text)
}
