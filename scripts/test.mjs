// npm test: everything that must hold, from a fresh clone. With --checks: only what needs no database.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb, checkout, fail, install, ourNode, passSignalsOn, run } from './prepare.mjs'

const results = join(checkout, 'artifacts/test-results.json')

passSignalsOn()
await install()
ourNode()
await buildWeb()
const checks = [
  ['biome', ['check', '--error-on-warnings', '.']],
  ['depcruise', ['--config', '.dependency-cruiser.mjs', 'service', 'sdk', 'web', 'test', 'demo']],
  ['tsc', ['-p', '.']],
  ['tsc', ['-p', 'web']],
  ['tsc', ['-p', 'web/tsconfig.vite.json']],
]
for (const [command, args] of checks) {
  console.log(`> ${command} ${args.join(' ')}`)
  if ((await run(command, args)) !== 0) fail(`${command} found problems.`)
}
if (!process.argv.includes('--checks')) {
  mkdirSync(join(checkout, 'artifacts'), { recursive: true })
  rmSync(results, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
  process.exitCode = await run('vitest', ['run', ...reporters, ...process.argv.slice(2)])
  if (existsSync(results)) {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'))
    console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`)
  }
}
