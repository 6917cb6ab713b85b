/** Collects, during a transaction, what decides where links lead and has changed. */
export function linkEvents(hasLinksById: () => boolean) {
  /** Of headings that came, went or moved. */
  const names = new Set<string>()
  const ids = new Set<string>()
  /** Links that were stored, or woke, and lead nowhere yet. */
  const asked = new Set<number>()
  /** Documents whose nodes changed. */
  const touched = new Set<number>()
  /** Documents with another path. */
  const moved = new Set<number>()
  /** Unknown until it is needed: most memories have no link by id, and then no ids need be noted. */
  let watchesIds: boolean | undefined

  return {
    names: names as ReadonlySet<string>,
    ids: ids as ReadonlySet<string>,
    asked: asked as ReadonlySet<number>,
    touched: touched as ReadonlySet<number>,
    moved: moved as ReadonlySet<number>,
    clear(): void {
      for (const noted of [names, ids, asked, touched, moved]) noted.clear()
      watchesIds = undefined
    },
    noteName: (name: string | null): void => void (name !== null && names.add(name)),
    noteId(id: string): void {
      watchesIds ??= hasLinksById()
      if (watchesIds) ids.add(id)
    },
    askedId(id: string): void {
      watchesIds = true
      ids.add(id)
    },
    askedLink: (id: number): void => void asked.add(id),
    touchedDocument: (id: number): void => void touched.add(id),
    movedDocument(id: number): void {
      touched.add(id)
      moved.add(id)
    },
  }
}
