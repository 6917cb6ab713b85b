/** A resource that is opened on first use. */
export interface Lazy<T> {
  /** Opens it, once; a failed attempt is repeated on the next call. */
  get(): Promise<T>
  /** The open resource, or the one being opened; undefined if there is none. Opens nothing. */
  peek(): Promise<T | undefined>
  /** The last attempt failed. */
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
