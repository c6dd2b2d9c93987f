// npm test: checks, unit tests, then tests of the whole service, from a fresh clone. With --checks: the checks alone.
// npm run test:long (--long): campaigns, whole walks, every screen in every look, benchmarks.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb, checkout, fail, install, ourNode, passSignalsOn, run } from './prepare.mjs'

const checks = [
  ['biome', ['check', '--error-on-warnings', '.']],
  ['depcruise', ['--config', '.dependency-cruiser.mjs', 'service', 'sdk', 'web', 'test', 'demo']],
  ['tsc', ['-p', '.']],
  ['tsc', ['-p', 'web']],
  ['tsc', ['-p', 'web/tsconfig.vite.json']],
]
const long = '**/*.long.test.ts'
const units = ['service/src/', '--exclude', long]
const services = ['--exclude', long, '--exclude', 'service/src/**']

passSignalsOn()
await install()
ourNode()
await buildWeb()
if (process.argv.includes('--long')) await runTests([['.long.test.ts']])
else {
  await runChecks()
  if (!process.argv.includes('--checks')) await runTests([units, services])
}

async function runChecks() {
  for (const [command, args] of checks) {
    console.log(`> ${command} ${args.join(' ')}`)
    if ((await run(command, args)) !== 0) fail(`${command} found problems.`)
  }
}

/** One after the other; the last line sums up all of them. */
async function runTests(parts) {
  const results = join(checkout, 'artifacts/test-results.json')
  mkdirSync(join(checkout, 'artifacts'), { recursive: true })
  let [passed, failed, skipped] = [0, 0, 0]
  for (const part of parts) {
    rmSync(results, { force: true })
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
    const code = await run('vitest', ['run', ...reporters, ...part])
    process.exitCode ||= code
    // A run that was ended has none; what follows would only hide that.
    if (!existsSync(results)) return
    const sums = JSON.parse(readFileSync(results, 'utf8'))
    passed += sums.numPassedTests
    failed += sums.numFailedTests
    skipped += sums.numPendingTests
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
}
