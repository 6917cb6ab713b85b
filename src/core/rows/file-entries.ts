/** The names right below a path, gathered from what is below it. */
export function createFileEntries(path: string) {
  const found = new Map<string, boolean>()
  return {
    count: (): number => found.size,
    /** A file below the path: the name that stands there, and whether the file is further below. */
    add(file: string, isFolder: boolean): { name: string; isDeeper: boolean } {
      const [name = '', ...below] = file.slice(path.length + 1).split('/')
      const isDeeper = below.length > 0
      found.set(name, isDeeper || isFolder || found.get(name) === true)
      return { name, isDeeper }
    },
    /** By code unit. */
    list(): { name: string; isFolder: boolean }[] {
      return [...found.keys()].sort().map((name) => ({ name, isFolder: found.get(name) === true }))
    },
  }
}
