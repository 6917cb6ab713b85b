import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// Every memory that a test opens starts a thread from sources, and half of its time went into taking the types out of
// them. Node keeps what it made of a file, by its content, for the test files' processes and all that they start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.compile-cache')

/** They deal with what a process has once: threads, signals, watches of folders. */
const PROCESS_WIDE = ['src/{runtime,store}/**/*.test.ts']

export default defineConfig({
  test: {
    // Processes, not threads: a native driver that crashes does not take all with it, and tests may chdir.
    pool: 'forks',
    // Vitest leaves one core free. Here one more than there are is used: many tests wait, for a disk or a process.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    // What becomes true by itself may take long on a busy machine.
    expect: { poll: { timeout: 30_000, interval: 10 } },
    allowOnly: false,
    globalSetup: ['test/support/bundle-threads.ts'],
    setupFiles: ['test/support/own-home.ts', 'test/support/thread-bundles.ts'],
    passWithNoTests: false,
    projects: [
      {
        extends: true,
        // A process for many files: starting one and loading the sources again takes longer than most of these do.
        test: { name: 'units', include: ['src/**/*.test.ts'], exclude: PROCESS_WIDE, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'parts',
          include: [...PROCESS_WIDE, 'test/**/*.test.ts', 'eval/**/*.test.ts', 'agents/**/*.test.ts'],
        },
      },
    ],
  },
})
