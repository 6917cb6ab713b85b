/** Something that is opened when it is first needed. */
export interface Lazy<T> {
  /** Opens it, once; what failed is tried again when it is next needed. */
  get(): Promise<T>
  /** What is open, or about to be; undefined when nothing is. Opens nothing. */
  peek(): Promise<T | undefined>
  /** The last try failed. */
  hasFailed(): boolean
}

export function createLazy<T>(open: () => Promise<T>, onFailure: (error: unknown) => void): Lazy<T> {
  let opening: Promise<T> | undefined
  let hasFailed = false

  async function attempt(): Promise<T> {
    try {
      const opened = await open()
      hasFailed = false
      return opened
    } catch (error) {
      opening = undefined
      hasFailed = true
      onFailure(error)
      throw error
    }
  }
  return {
    get() {
      opening ??= attempt()
      return opening
    },
    peek: () => opening?.catch(() => undefined) ?? Promise.resolve(undefined),
    hasFailed: () => hasFailed,
  }
}
