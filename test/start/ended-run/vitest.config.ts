import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/start/ended-run/waits.ts'], globalSetup: ['test/support/postgres.ts'], testTimeout: 900_000 },
})
