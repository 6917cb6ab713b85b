import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'eval/**/*.test.ts'],
    // Processes, not threads: a native driver that crashes takes one file with it, and tests may chdir.
    pool: 'forks',
    // Vitest leaves one core free, which on two cores means no parallelism at all.
    maxWorkers: Math.min(8, Math.max(2, availableParallelism() - 1)),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    allowOnly: false,
    passWithNoTests: false,
  },
})
