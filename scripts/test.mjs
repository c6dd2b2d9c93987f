// npm test: runs checks, unit tests, then tests of the whole service, from a fresh clone. With --checks it runs only
// the checks.
// npm run test:long (--long): runs campaigns, complete walks, every screen in every look, and benchmarks. With --until
// <seconds since 1970> it runs them in groups, starts no group after that time, and prints the skipped files.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildWeb, checkout, fail, filesBelow, install, ourNode, passSignalsOn, run } from './prepare.mjs'

/** TypeScript writes down what it has checked. The next run checks only changed files, and the files that use them. */
const kept = (name) => ['--incremental', '--tsBuildInfoFile', `artifacts/checks/${name}.tsbuildinfo`]
/** Two lists that take about the same time. They run in parallel. */
const checks = [
  [['tsc', ['-p', '.', ...kept('service')]]],
  [
    ['biome', ['check', '--error-on-warnings', '.']],
    ['depcruise', ['--config', '.dependency-cruiser.mjs', 'service', 'sdk', 'web', 'test', 'demo']],
    ['tsc', ['-p', 'web', ...kept('web')]],
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
 * Groups of nine files. Each commit starts with another group, so that on a slow machine all groups run from time to
 * time.
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

/** Runs the parts one after the other. The last lines name the failed tests, and have the sums of all parts. */
async function runTests(parts, until = null) {
  const results = join(checkout, 'artifacts/test-results.json')
  mkdirSync(join(checkout, 'artifacts'), { recursive: true })
  let [passed, failed, skipped] = [0, 0, 0]
  const failures = []
  for (const [at, part] of parts.entries()) {
    if (until !== null && Date.now() > until) {
      console.log(`Not run, because the time is over: ${parts.slice(at).flat().join(' ')}`)
      break
    }
    rmSync(results, { force: true })
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${results}`]
    const code = await run('vitest', ['run', ...reporters, ...part])
    process.exitCode ||= code
    // An aborted run leaves no sums, so it must end here. A later run would hide it.
    if (!existsSync(results)) return
    const sums = JSON.parse(readFileSync(results, 'utf8'))
    passed += sums.numPassedTests
    failed += sums.numFailedTests
    skipped += sums.numPendingTests
    failures.push(...sums.testResults.flatMap(failuresOf))
  }
  for (const failure of failures) console.log(failure)
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
}

/** The failed tests of a file, each with the first lines of its error. A file that could not be loaded has no tests. */
function failuresOf({ name, status, message, assertionResults }) {
  const tests = assertionResults.filter((test) => test.status === 'failed')
  const file = relative(checkout, name)
  if (tests.length > 0) return tests.map((test) => tell(`${file}: ${test.fullName}`, test.failureMessages.join('\n')))
  return status === 'failed' ? [tell(file, message)] : []
}

function tell(place, message) {
  return `Failed: ${place}\n${message.split('\n').slice(0, 12).join('\n')}`
}
