import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{service,sdk,test,demo,scripts}/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/fail-on-leaks.ts'],
    // Generous: a busy machine must not fail a test that would pass.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Most of a file's time would go into loading the service again. Stubs and spies therefore end with their test.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    // Real servers and databases: more files at once than cores only makes them wait for each other.
    maxWorkers: 3,
  },
})
