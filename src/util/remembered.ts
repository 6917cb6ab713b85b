/** The cached value for a question, as long as `version` is the same; otherwise the result of `make`. */
export type Remembered = (question: string, version: string, make: () => Promise<string>) => Promise<string>

/** Caches the answers to the last `count` questions, up to `length` characters in total. */
export function createRemembered({ count = 16, length = 32_000_000 } = {}): Remembered {
  const answers = new Map<string, { version: string; answer: string }>()
  let held = 0

  function drop(question: string): void {
    held -= answers.get(question)?.answer.length ?? 0
    answers.delete(question)
  }
  return async (question, version, make) => {
    const known = answers.get(question)
    if (known?.version === version) return known.answer
    const answer = await make()
    drop(question)
    answers.set(question, { version, answer })
    held += answer.length
    for (const oldest of answers.keys()) {
      if (answers.size <= count && held <= length) break
      drop(oldest)
    }
    return answer
  }
}
