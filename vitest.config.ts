import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{service,sdk,test,demo,scripts}/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/fail-on-leaks.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Real servers and databases: more files at once than cores only makes them wait for each other.
    maxWorkers: 3,
  },
})
