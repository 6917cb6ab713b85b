/** The rows with these values, in the order in which they were stored first. */
export function matching<T extends object>(rows: Map<string, T>, by: Partial<T>): T[] {
  const wanted = Object.entries(by)
  return [...rows.values()].filter((row) =>
    wanted.every(([name, value]) => (row as Record<string, unknown>)[name] === value),
  )
}
