import { vi } from 'vitest'
import { runCli } from '../../service/src/operator/cli.ts'
import { testKeys } from '../support/service.ts'

/** Runs one command in this process, and returns its output. */
export async function runWherry(databaseUrl: string, args: string[], env: Record<string, string> = {}) {
  const out: string[] = []
  const err: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)))
  const error = vi.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)))
  try {
    const code = await runCli(args, { DATABASE_URL: databaseUrl, WHERRY_KEYS: testKeys, ...env })
    return { code, stdout: out.join('\n'), stderr: err.join('\n') }
  } finally {
    log.mockRestore()
    error.mockRestore()
  }
}
