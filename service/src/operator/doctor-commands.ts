import type { Command } from 'commander'
import { OperatorError } from '../errors.ts'
import type { Finding } from './doctor/finding.ts'

const marks = { ok: 'ok      ', warning: 'warning ', broken: 'BROKEN  ' }

export function addDoctorCommand(program: Command, env: Record<string, string | undefined>): void {
  program
    .command('doctor')
    .description('check configuration, database, keys, clock, disk, mail, names, workers and origin; changes nothing')
    .option('--resolve <name>', 'a public host name that must resolve', 'example.com')
    .option('--json', 'print JSON')
    .action(async ({ resolve, json }: { resolve: string; json?: boolean }) => {
      const { examine } = await import('./doctor/run-doctor.ts')
      const checks = await examine(env, resolve)
      const failed = checks.filter(({ state }) => state === 'broken').length
      const warned = checks.filter(({ state }) => state === 'warning').length
      const state = failed > 0 ? 'broken' : warned > 0 ? 'warning' : 'ok'
      console.log(json ? JSON.stringify({ state, checks }) : checks.map(lineOf).join('\n'))
      const sums = `${checks.length} checks: ${failed} broken, ${warned} with a warning.`
      if (failed > 0) throw new OperatorError(sums)
      if (!json) console.log(sums)
    })
}

function lineOf(finding: Finding): string {
  const line = `${marks[finding.state]}${finding.check}: ${finding.message}`
  return finding.state === 'ok' ? line : `${line}\n        → ${finding.fix}`
}
