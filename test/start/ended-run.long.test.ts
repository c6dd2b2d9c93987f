import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { checkoutDir } from '../../service/src/config.ts'
import { startProgram } from '../support/program.ts'

test.each(['SIGTERM', 'SIGINT', 'SIGKILL'] as const)(
  'a test run that is ended by %s leaves no process and no folder behind',
  async (signal) => {
    const file = join(mkdtempSync(join(tmpdir(), 'wherry-ended-')), 'run.json')
    const { DATABASE_URL: _, ...env } = process.env
    const run = startProgram(
      join(checkoutDir, 'node_modules/.bin/vitest'),
      ['run', '--config', 'test/start/ended-run/vitest.config.ts'],
      { cwd: checkoutDir, env: { ...env, WAITS_FILE: file } },
    )
    // The file exists before its content does.
    const content = await vi.waitFor(() => readAll(file) || Promise.reject(new Error(run.output())), {
      timeout: 300_000,
    })
    const { folder, pid } = JSON.parse(content)
    expect(commandsBelow(folder).length).toBeGreaterThan(2)
    process.kill(run.pid, signal)
    await vi.waitFor(() => expect([commandsBelow(folder), existsSync(folder)]).toEqual([[], false]), {
      timeout: 300_000,
    })
    expect(isRunning(pid)).toBe(false)
    await run.finished
  },
)

/** The commands of every process that uses the folder: the run's workers, its database, the programs of its tests. */
function commandsBelow(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readAll(`/proc/${pid}/cmdline`, `/proc/${pid}/environ`))
    .filter((text) => text.includes(folder))
}

/** A process that has ended stays in the list until the system's first process asks for it. It does not run any more. */
function isRunning(pid: number): boolean {
  const stat = readAll(`/proc/${pid}/stat`)
  return stat !== '' && !stat.includes(') Z ')
}

function readAll(...files: string[]): string {
  try {
    return files.map((file) => readFileSync(file, 'utf8')).join('\0')
  } catch {
    return ''
  }
}
