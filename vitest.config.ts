import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{service,sdk,test,demo,scripts}/**/*.test.ts'],
    globalSetup: ['test/support/postgres.ts'],
    setupFiles: ['test/support/fail-on-leaks.ts'],
    // Generous limits, so that a busy machine does not fail a correct test.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Most of a file's time would go into loading the service again. Stubs and spies therefore end with their test.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    // The tests start real servers and databases, so more files at once than cores only wait for each other.
    maxWorkers: 3,
  },
})
