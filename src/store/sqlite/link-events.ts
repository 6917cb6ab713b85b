/** What a transaction did to the headings of one name. */
export interface NameEvents {
  arrived: Set<number>
  left: Set<number>
  /** Somebody asks for the name who did not before. */
  isAsked: boolean
  /** More happened than can be told by coming and going: files or headings changed places. */
  isMoved: boolean
}

/** Collects, while a transaction goes on, which names and ids the links have to be led anew for. */
export function linkEvents(hasLinksById: () => boolean) {
  const names = new Map<string, NameEvents>()
  const ids = new Set<string>()
  /** Unknown until somebody asks: most memories have no link by id, and then nobody need note ids. */
  let watchesIds: boolean | undefined

  function eventsOf(name: string): NameEvents {
    let events = names.get(name)
    if (!events) {
      events = { arrived: new Set(), left: new Set(), isAsked: false, isMoved: false }
      names.set(name, events)
    }
    return events
  }
  function noteId(id: string): void {
    watchesIds ??= hasLinksById()
    if (watchesIds) ids.add(id)
  }

  return {
    names: names as ReadonlyMap<string, NameEvents>,
    ids: ids as ReadonlySet<string>,
    clear(): void {
      names.clear()
      ids.clear()
      watchesIds = undefined
    },
    cameName: (name: string | null, key: number): void =>
      void (name !== null && eventsOf(name).arrived.add(key)),
    wentName: (name: string | null, key: number): void =>
      void (name !== null && eventsOf(name).left.add(key)),
    movedName(name: string | null): void {
      if (name !== null) eventsOf(name).isMoved = true
    },
    askedName(name: string): void {
      eventsOf(name).isAsked = true
    },
    noteId,
    askedId(id: string): void {
      watchesIds = true
      ids.add(id)
    },
  }
}
