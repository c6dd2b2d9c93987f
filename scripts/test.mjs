// npm test: checks, unit tests, then tests of the whole service, from a fresh clone. With --checks: the checks alone.
// npm run test:long (--long): campaigns, whole walks, every screen in every look, benchmarks. With --until <seconds
// since 1970>: in groups, none of which begins after that time; prints the files that were left out.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb, checkout, fail, filesBelow, install, ourNode, passSignalsOn, run } from './prepare.mjs'

/** Two lists that take about as long as each other: they run side by side. */
const checks = [
  [['tsc', ['-p', '.']]],
  [
    ['biome', ['check', '--error-on-warnings', '.']],
    ['depcruise', ['--config', '.dependency-cruiser.mjs', 'service', 'sdk', 'web', 'test', 'demo']],
    ['tsc', ['-p', 'web']],
    ['tsc', ['-p', 'web/tsconfig.vite.json']],
  ],
]
const others = ['--exclude', '**/*.long.test.ts', '--exclude', '**/*.live.test.ts']
const units = ['service/src/', ...others]
const services = [...others, '--exclude', 'service/src/**']

passSignalsOn()
await install()
ourNode()
await buildWeb()
const until = readUntil()
if (process.argv.includes('--long')) await runTests(until === null ? [['.long.test.ts']] : longGroups(), until)
else {
  await runChecks()
  if (!process.argv.includes('--checks')) await runTests([units, services])
}

async function runChecks() {
  const lists = checks.map(async (list) => {
    for (const [command, args] of list) {
      console.log(`> ${command} ${args.join(' ')}`)
      if ((await run(command, args)) !== 0) return command
    }
    return null
  })
  const failed = (await Promise.all(lists)).filter((command) => command !== null)
  if (failed.length > 0) fail(`Problems found by: ${failed.join(', ')}.`)
}

function readUntil() {
  const place = process.argv.indexOf('--until')
  if (place < 0) return null
  const seconds = Number(process.argv[place + 1])
  if (!Number.isSafeInteger(seconds)) fail('--until needs a time: the seconds since 1970, as date +%s prints them.')
  return seconds * 1000
}

/**
 * Groups of nine files. Every commit begins with another group, so that all groups run from time to time on a slow
 * machine.
 */
function longGroups() {
  const files = ['service', 'sdk', 'test', 'demo', 'scripts']
    .flatMap(filesBelow)
    .filter((file) => file.endsWith('.long.test.ts'))
  const count = Math.ceil(files.length / 9)
  const groups = Array.from({ length: count }, (_, group) => files.filter((_, at) => at % count === group))
  const { stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: checkout, encoding: 'utf8' })
  const first = (Number.parseInt(stdout, 16) || 0) % count
  return [...groups.slice(first), ...groups.slice(0, first)]
}

/** One after the other; the last line sums up all of them. */
async function runTests(parts, until = null) {
  const results = join(checkout, 'artifacts/test-results.json')
  mkdirSync(join(checkout, 'artifacts'), { recursive: true })
  let [passed, failed, skipped] = [0, 0, 0]
  for (const [at, part] of parts.entries()) {
    if (until !== null && Date.now() > until) {
      console.log(`Not run, because the time is over: ${parts.slice(at).flat().join(' ')}`)
      break
    }
    rmSync(results, { force: true })
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
    const code = await run('vitest', ['run', ...reporters, ...part])
    process.exitCode ||= code
    // An aborted run has no sums, and later runs would hide the abort.
    if (!existsSync(results)) return
    const sums = JSON.parse(readFileSync(results, 'utf8'))
    passed += sums.numPassedTests
    failed += sums.numFailedTests
    skipped += sums.numPendingTests
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
}
