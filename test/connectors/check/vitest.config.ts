import { defineConfig } from 'vitest/config'

/** The checks of one connector, which `wherry connector check` runs. They need no database. */
export default defineConfig({
  test: { include: ['test/connectors/check/connector.suite.ts'], testTimeout: 900_000, hookTimeout: 900_000 },
})
