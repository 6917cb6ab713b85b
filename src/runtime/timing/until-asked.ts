/** Waits for `done`. A signal to end the process calls `end`, once; `done` is still awaited. */
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
