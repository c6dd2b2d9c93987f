import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Started, tools } from './start-tools.ts'

// npm run live -- <tool>… | all [--quick|--pairs] starts real tools, runs their own tests and the tests of pairs, and
// stops the tools.

const usage = `Usage: npm run live -- <${Object.keys(tools).join('|')}>… | all [--quick|--pairs] [--long]

Starts each tool twice on this machine, a source with odd things in it and a destination, and runs their tests
(test/live/<tool>*.live.test.ts) and the migrations between them (test/live/pairs.live.test.ts). Needs Debian and
root: tools that are missing are installed with apt-get or npm. --quick runs only the migrations, and without anything
breaking in the middle; --pairs runs only the migrations. --long adds a thread of 10,000 notes between two Redmines,
which takes most of an hour.`

const checkout = join(import.meta.dirname, '../..')
const bin = join(checkout, 'node_modules/.bin')
const started: Started[] = []
let isStopping = false
/** The exit code when nothing failed but some tools could not be started. */
const notStarted = 3
let child: ReturnType<typeof spawn> | null = null

async function main(): Promise<number> {
  const given = process.argv.slice(2)
  const isQuick = given.includes('--quick')
  const onlyPairs = isQuick || given.includes('--pairs')
  const asked = given.filter((word) => !word.startsWith('--'))
  const names = asked.includes('all') ? Object.keys(tools) : asked
  const unknown = names.filter((name) => !Object.hasOwn(tools, name))
  if (names.length === 0 || unknown.length > 0) throw new Error(usage)
  const hindrance = findHindrance()
  if (hindrance) throw new Error(`The tools cannot be installed here: ${hindrance}`)

  const failed: string[] = []
  const running: string[] = []
  const env: Record<string, string> = {}
  const places: Record<string, unknown> = {}
  for (const name of names) {
    if (isStopping) return 1
    console.log(`Starting ${name} …`)
    try {
      const tool = await tools[name]?.()
      if (!tool) continue
      started.push(tool)
      env[tool.variable] = tool.value
      places[name] = tool.places
      running.push(name)
    } catch (error) {
      failed.push(name)
      console.error(`${name} could not be started: ${error instanceof Error ? error.message : error}`)
    }
  }
  env.WHERRY_LIVE_PAIRS = JSON.stringify(places)
  if (isQuick) env.WHERRY_LIVE_QUICK = '1'
  if (given.includes('--long')) env.WHERRY_LIVE_LONG = '1'
  const files = [
    ...(onlyPairs ? [] : running.map((name) => `test/live/${name}`)),
    isQuick ? 'test/live/pairs.live.test.ts' : 'test/live/pairs',
  ]
  const code = isStopping ? 1 : running.length === 0 ? notStarted : await runTests(files, env, isQuick)
  const result =
    code === 0
      ? 'No test failed; skipped ones are named above.'
      : isStopping
        ? 'Stopped before all tests were through.'
        : 'Tests failed.'
  console.log(`\nStarted: ${running.join(', ') || 'nothing'}. ${result}`)
  if (failed.length > 0) console.log(`Not tried, because they could not be started: ${failed.join(', ')}.`)
  if (code !== 0) return code
  return failed.length > 0 ? notStarted : 0
}

function findHindrance(): string | null {
  if (process.getuid?.() !== 0) return 'only root may install packages.'
  return existsSync('/usr/bin/apt-get') ? null : 'this is no Debian (there is no apt-get).'
}

/** Runs one file at a time, because the tools are too slow for several. */
function runTests(files: string[], env: Record<string, string>, isQuick: boolean): Promise<number> {
  return new Promise((resolve) => {
    // Each file loads its modules anew: some files close connections that such a module opens for all its tests. A quick
    // run ends at the first failure.
    const whole = ['run', '--no-file-parallelism', '--isolate', '--passWithNoTests']
    const options = [...whole, ...(isQuick ? ['--bail', '1'] : []), ...files]
    child = spawn(join(bin, 'vitest'), options, {
      cwd: checkout,
      stdio: 'inherit',
      env: { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` },
    })
    child.once('exit', (code, signal) => {
      if (signal) console.error(`The tests were ended by ${signal}.`)
      resolve(code ?? 1)
    })
  })
}

async function stopAll(): Promise<void> {
  for (const tool of started.splice(0)) {
    await tool.stop().catch((error: unknown) => console.error(`A tool could not be stopped: ${error}`))
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    isStopping = true
    // A terminal sends the signal to the child too; other senders do not.
    child?.kill('SIGTERM')
  })
}

const code = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  return 1
})
await stopAll()
process.exit(code)
