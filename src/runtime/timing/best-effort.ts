import type { Log } from '../../util/log.ts'

/** Does work that must not stop anything else when it fails; true when it did not. */
export type Attempt = (work: () => void) => boolean

/** Failures in a row are one warning: a folder that cannot be written to does not fill the log. */
export function createAttempt(log: Pick<Log, 'warn'>, message: string): Attempt {
  let hasFailed = false
  return (work) => {
    try {
      work()
      hasFailed = false
      return true
    } catch (error) {
      const isNews = !hasFailed
      // First: the warning itself may need the same work.
      hasFailed = true
      if (isNews) log.warn(message, { err: error })
      return false
    }
  }
}
