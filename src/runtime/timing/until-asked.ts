/** Waits for `done`, or until somebody asks the process to end: then `end` is called, once, and `done` is still waited for. */
export async function untilAsked(done: Promise<void>, end: () => unknown): Promise<void> {
  const onSignal = (): void => void end()
  process.once('SIGTERM', onSignal)
  process.once('SIGINT', onSignal)
  try {
    await done
  } finally {
    process.off('SIGTERM', onSignal)
    process.off('SIGINT', onSignal)
  }
}
