import { type JsonObject, objectOf } from '../model/conversation.ts'

/**
 * Keywords that a program took out of a schema, put in or changed, such as `-maximum`, `+nullable` and `~type`. Each once, sorted;
 * what the server did not send and the model did not get is not listed.
 */
export function schemaChanges(sent: JsonObject, got: JsonObject): string[] {
  return [...new Set(changesIn(sent, got))].sort()
}

/** Under these, keys are names of arguments. */
const NAMED = new Set(['properties', '$defs', 'definitions'])

function changesIn(sent: JsonObject, got: JsonObject): string[] {
  return [...new Set([...Object.keys(sent), ...Object.keys(got)])].flatMap((key) => {
    if (!(key in got)) return [`-${key}`]
    if (!(key in sent)) return [`+${key}`]
    return valueChanges(key, sent[key], got[key])
  })
}

function valueChanges(key: string, sent: unknown, got: unknown): string[] {
  if (NAMED.has(key)) return namedChanges(objectOf(sent), objectOf(got))
  if (isObject(sent) && isObject(got)) return changesIn(sent, got)
  if (Array.isArray(sent) && Array.isArray(got) && sent.length === got.length && sent.every(isObject))
    return sent.flatMap((one, at) => changesIn(one, objectOf(got[at])))
  return JSON.stringify(sent) === JSON.stringify(got) ? [] : [`~${key}`]
}

function namedChanges(sent: JsonObject, got: JsonObject): string[] {
  return [...new Set([...Object.keys(sent), ...Object.keys(got)])].flatMap((name) => {
    if (!(name in got)) return [`-argument ${name}`]
    return name in sent ? changesIn(objectOf(sent[name]), objectOf(got[name])) : [`+argument ${name}`]
  })
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
