/** How answers to a tool search name a tool: as JSON, or as a reference. */
const NAMED = /"(?:tool_)?name"\s*:\s*"([^"]+)"/g

/** The tools that the answer to a tool search names, in its order: ours by the server's names, others as they are. */
export function toolsFound(answer: string, ours: ReadonlyMap<string, string>): string[] {
  const named = [...answer.matchAll(NAMED)].map(([, name = '']) => ours.get(name) ?? name)
  return named.length > 0 ? [...new Set(named)] : mentioned(answer, ours)
}

function mentioned(answer: string, ours: ReadonlyMap<string, string>): string[] {
  return [...ours]
    .map(([fullName, name]) => ({ name, at: placeOf(answer, fullName) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
    .map(({ name }) => name)
}

/** Not inside another name: `MemoryFetch` is not found in `MemoryFetchBatch`. */
function placeOf(answer: string, name: string): number {
  return answer.search(new RegExp(`${name}(?![A-Za-z0-9_])`))
}
