import { parseArgs } from 'node:util'
import { apiDefaults, benchApi, formatApiReport } from './api.ts'
import { benchBig, bigDefaults, formatBigReport } from './big.ts'
import { benchCapacity, capacityDefaults, formatCapacityReport } from './capacity.ts'
import { benchEngine, engineDefaults, formatEngineReport } from './engine.ts'
import { benchGrowth, formatGrowthReport, growthDefaults } from './growth.ts'
import { benchHosted, formatHostedReport, hostedDefaults } from './hosted.ts'
import { hostedTools } from './hosted-tools.ts'
import { benchHostile, formatHostileReport, hostileDefaults } from './hostile.ts'
import { benchLedger, formatLedgerReport, ledgerDefaults } from './ledger.ts'
import { benchLive, formatLiveReport, liveDefaults, liveTools } from './live.ts'
import { benchResume, formatResumeReport, resumeDefaults } from './resume.ts'
import { benchScaleOut, formatScaleOutReport, scaleOutDefaults } from './scale-out.ts'
import { benchScripts, formatScriptsReport, scriptsDefaults } from './scripts.ts'
import { benchSizing, formatSizingReport, sizingDefaults } from './sizing.ts'
import { benchWake, formatWakeReport, wakeDefaults } from './wake.ts'
import { benchWebhooks, formatWebhooksReport, webhooksDefaults } from './webhooks.ts'

type Run = (cleanup: AsyncDisposableStack, onProgress: (line: string) => void) => Promise<Outcome>
interface Outcome {
  report: object
  text: string
}
interface Bench {
  about: string
  defaults: object
  read(args: string[]): { json: boolean; run: Run }
}

/** A benchmark that starts its own servers. */
function plain<Numbers extends object, Report extends object>(
  about: string,
  defaults: Numbers,
  measure: (numbers: Numbers, ...rest: Parameters<Run>) => Promise<Report>,
  format: (report: Report) => string,
): Bench {
  return ofTools(about, defaults, [], (numbers, _tools, ...rest) => measure(numbers, ...rest), format)
}

/** A benchmark for some tools, or for all tools. */
function ofTools<Numbers extends object, Tool extends string, Report extends object>(
  about: string,
  defaults: Numbers,
  all: readonly Tool[],
  measure: (numbers: Numbers, tools: readonly Tool[], ...rest: Parameters<Run>) => Promise<Report>,
  format: (report: Report) => string,
): Bench {
  return {
    about,
    defaults,
    read(args) {
      const { tools, rest } = takeTools(args, all)
      const { json, bench } = readOptions(rest, defaults)
      return {
        json,
        run: async (cleanup, onProgress) => {
          const report = await measure(bench, tools, cleanup, onProgress)
          return { report, text: format(report) }
        },
      }
    },
  }
}

const benches: Record<string, Bench> = {
  api: plain(
    'our API against a bare node:http server that runs the same statement',
    apiDefaults,
    benchApi,
    formatApiReport,
  ),
  growth: plain('the same requests on a small and on a big database', growthDefaults, benchGrowth, formatGrowthReport),
  engine: plain(
    'a migration against a loop that only copies; memory; small imports beside a huge one',
    engineDefaults,
    benchEngine,
    formatEngineReport,
  ),
  'scale-out': plain(
    'several imports on one worker process and on two',
    scaleOutDefaults,
    benchScaleOut,
    formatScaleOutReport,
  ),
  big: plain(
    'one import of a million records with its undo: time, bytes for each record, reads meanwhile',
    bigDefaults,
    benchBig,
    formatBigReport,
  ),
  capacity: plain(
    'processor time of Postgres and of a process for a status read, a record and a webhook',
    capacityDefaults,
    benchCapacity,
    formatCapacityReport,
  ),
  ledger: plain(
    'pages and erasures on a ledger of 20 million generated rows, with and without a partition (12 GB of disk)',
    ledgerDefaults,
    benchLedger,
    formatLedgerReport,
  ),
  hostile: plain(
    'the event loops of API and worker under texts that are made to stop parsers',
    hostileDefaults,
    benchHostile,
    formatHostileReport,
  ),
  resume: plain(
    'how long a run pauses when its worker, or everything, is killed',
    resumeDefaults,
    benchResume,
    formatResumeReport,
  ),
  scripts: plain(
    'the engine against a script with p-limit and a flow of Node-RED (installed from npm), and each killed in the middle',
    scriptsDefaults,
    benchScripts,
    formatScriptsReport,
  ),
  sizing: plain(
    'memory, processor time, connections and disk space of an API, a worker and the database (Linux only)',
    sizingDefaults,
    benchSizing,
    formatSizingReport,
  ),
  wake: plain(
    'how soon a started run begins, and what an idle service costs',
    wakeDefaults,
    benchWake,
    formatWakeReport,
  ),
  webhooks: plain(
    'messages a second, a receiver that fails half the time, and targets that hang beside healthy ones',
    webhooksDefaults,
    benchWebhooks,
    formatWebhooksReport,
  ),
  hosted: ofTools(
    'tickets or deals into and out of twins of hosted tools, at the limits of a usual plan and without limits',
    hostedDefaults,
    hostedTools,
    benchHosted,
    formatHostedReport,
  ),
  live: ofTools(
    'migrations between two of each real tool against a loop that only copies (needs Debian and root)',
    liveDefaults,
    liveTools,
    benchLive,
    formatLiveReport,
  ),
}

const describeOptions = (defaults: object) =>
  Object.entries(defaults)
    .map(([name, value]) => `--${name} ${value}`)
    .join(' ')

const usage = `Usage: npm run bench -- <name> [options]

${Object.entries(benches)
  .map(([name, { about, defaults }]) => `  ${name.padEnd(10)} ${about}\n             ${describeOptions(defaults)}`)
  .join('\n')}

  --json     print the result as JSON

hosted and live take the names of tools, such as "live redmine rt". Options are shown with their defaults. Everything runs on
this machine, on a Postgres that is thrown away afterwards.`

/** The tools named on the command line, or all tools. */
function takeTools<Tool extends string>(
  args: string[],
  all: readonly Tool[],
): { tools: readonly Tool[]; rest: string[] } {
  const named = all.filter((tool) => args.includes(tool))
  return { tools: named.length > 0 ? named : all, rest: args.filter((word) => !all.some((tool) => tool === word)) }
}

/** Reads options. Every number of `defaults` is an option with its name. */
function readOptions<Numbers extends object>(args: string[], defaults: Numbers): { json: boolean; bench: Numbers } {
  const names = Object.keys(defaults)
  const { values } = parseArgs({
    args,
    options: { json: { type: 'boolean' }, ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  }) as { values: Record<string, string | boolean | undefined> }
  const given = names.flatMap((name) => {
    const text = values[name]
    if (text === undefined) return []
    if (!/^\d+(\.\d+)?$/.test(String(text)) || Number(text) <= 0) throw new Error(`--${name} must be a number above 0`)
    return [[name, Number(text)]]
  })
  return { json: values.json === true, bench: { ...defaults, ...Object.fromEntries(given) } }
}

/** Rejects when a person or the parent process stops the benchmark. */
function toldToStop(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Error('Stopped; cleaning up.')))
    }
  })
}

async function main([name = '', ...args]: string[]): Promise<void> {
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
  if (!bench) throw new Error(usage)
  const { json, run } = bench.read(args)
  const cleanup = new AsyncDisposableStack()
  // Progress goes to stderr, so that stdout contains only the result.
  const running = run(cleanup, (line) => console.error(line))
  try {
    const { report, text } = await Promise.race([running, toldToStop()])
    console.log(json ? JSON.stringify(report, null, 2) : `\n${text}\n`)
  } finally {
    // Requests still open fail when their servers stop. These errors come after the end, and are ignored.
    running.catch(() => {})
    await cleanup.disposeAsync()
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
