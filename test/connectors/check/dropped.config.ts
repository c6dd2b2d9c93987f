import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/connectors/check/dropped.suite.ts'], testTimeout: 900_000, hookTimeout: 900_000 },
})
