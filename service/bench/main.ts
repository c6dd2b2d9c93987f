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
import { benchScripts, formatScriptsReport, scriptsDefaults } from './scripts.ts'
import { benchWebhooks, formatWebhooksReport, webhooksDefaults } from './webhooks.ts'

const describeOptions = (defaults: object) =>
  Object.entries(defaults)
    .map(([name, value]) => `--${name} ${value}`)
    .join(' ')

const usage = `Usage: npm run bench -- <api|growth|engine|big|capacity|ledger|hostile|resume|scripts|webhooks|hosted|live> [options]

  api      our API against a bare node:http server that runs the same statement
           ${describeOptions(apiDefaults)}
  growth   the same requests on a small and on a big database
           ${describeOptions(growthDefaults)}
  engine   a migration against a loop that only copies; memory; small imports beside a huge one
           ${describeOptions(engineDefaults)}
  big      one import of a million records with its undo: time, bytes for each record, reads meanwhile
           ${describeOptions(bigDefaults)}
  capacity processor time of Postgres and of a process for a status read, a record and a webhook
           ${describeOptions(capacityDefaults)}
  ledger   pages and erasures on a ledger of 20 million generated rows, with and without a partition (12 GB of disk)
           ${describeOptions(ledgerDefaults)}
  hostile  the event loops of API and worker under texts that are made to stop parsers
           ${describeOptions(hostileDefaults)}
  resume   how long a run stands still when its worker, or everything, is killed
           ${describeOptions(resumeDefaults)}
  scripts  the engine against a script with p-limit and a flow of Node-RED (installed from npm), and each killed in the middle
           ${describeOptions(scriptsDefaults)}
  webhooks a receiver that fails half the time, and targets that hang beside healthy ones
           ${describeOptions(webhooksDefaults)}
  hosted [tool…]
           tickets into and out of twins of hosted tools, at the limits of a usual plan and without limits
           ${describeOptions(hostedDefaults)}
  live [tool…]
           migrations between two of each real tool against a loop that only copies (needs Debian and root)
           ${describeOptions(liveDefaults)}

  --json   print the result as JSON

Options are shown with their defaults. Everything runs on this machine, on a Postgres that is thrown away afterwards.`

type Bench = (cleanup: AsyncDisposableStack, onProgress: (line: string) => void) => Promise<Outcome>
interface Outcome {
  report: object
  text: string
}

const benches: Record<string, (args: string[]) => { json: boolean; run: Bench }> = {
  api: (args) => {
    const { json, bench } = readOptions(args, apiDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchApi(bench, cleanup, onProgress)
        return { report, text: formatApiReport(report) }
      },
    }
  },
  capacity: (args) => {
    const { json, bench } = readOptions(args, capacityDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchCapacity(bench, cleanup, onProgress)
        return { report, text: formatCapacityReport(report) }
      },
    }
  },
  engine: (args) => {
    const { json, bench } = readOptions(args, engineDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchEngine(bench, cleanup, onProgress)
        return { report, text: formatEngineReport(report) }
      },
    }
  },
  big: (args) => {
    const { json, bench } = readOptions(args, bigDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchBig(bench, cleanup, onProgress)
        return { report, text: formatBigReport(report) }
      },
    }
  },
  growth: (args) => {
    const { json, bench } = readOptions(args, growthDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchGrowth(bench, cleanup, onProgress)
        return { report, text: formatGrowthReport(report) }
      },
    }
  },
  hostile: (args) => {
    const { json, bench } = readOptions(args, hostileDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchHostile(bench, cleanup, onProgress)
        return { report, text: formatHostileReport(report) }
      },
    }
  },
  hosted: (args) => {
    const { tools, rest } = takeTools(args, hostedTools)
    const { json, bench } = readOptions(rest, hostedDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchHosted(bench, tools, cleanup, onProgress)
        return { report, text: formatHostedReport(report) }
      },
    }
  },
  ledger: (args) => {
    const { json, bench } = readOptions(args, ledgerDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchLedger(bench, cleanup, onProgress)
        return { report, text: formatLedgerReport(report) }
      },
    }
  },
  live: (args) => {
    const { tools, rest } = takeTools(args, liveTools)
    const { json, bench } = readOptions(rest, liveDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchLive(bench, tools, cleanup, onProgress)
        return { report, text: formatLiveReport(report) }
      },
    }
  },
  resume: (args) => {
    const { json, bench } = readOptions(args, resumeDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchResume(bench, cleanup, onProgress)
        return { report, text: formatResumeReport(report) }
      },
    }
  },
  scripts: (args) => {
    const { json, bench } = readOptions(args, scriptsDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchScripts(bench, cleanup, onProgress)
        return { report, text: formatScriptsReport(report) }
      },
    }
  },
  webhooks: (args) => {
    const { json, bench } = readOptions(args, webhooksDefaults)
    return {
      json,
      run: async (cleanup, onProgress) => {
        const report = await benchWebhooks(bench, cleanup, onProgress)
        return { report, text: formatWebhooksReport(report) }
      },
    }
  },
}

/** The tools that are named, or all of them. */
function takeTools<Tool extends string>(
  args: string[],
  all: readonly Tool[],
): { tools: readonly Tool[]; rest: string[] } {
  const named = all.filter((tool) => args.includes(tool))
  return { tools: named.length > 0 ? named : all, rest: args.filter((word) => !all.some((tool) => tool === word)) }
}

/** Every number of `defaults` may be given as an option of its name. */
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

/** Rejects when the person or the parent process asks to stop. */
function toldToStop(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => reject(new Error('Stopped; cleaning up.')))
    }
  })
}

async function main([name = '', ...args]: string[]): Promise<void> {
  const prepare = Object.hasOwn(benches, name) ? benches[name] : undefined
  if (!prepare) throw new Error(usage)
  const { json, run } = prepare(args)
  const cleanup = new AsyncDisposableStack()
  // Progress goes to stderr, so that stdout holds the result and nothing else.
  const running = run(cleanup, (line) => console.error(line))
  try {
    const { report, text } = await Promise.race([running, toldToStop()])
    console.log(json ? JSON.stringify(report, null, 2) : `\n${text}\n`)
  } finally {
    // What is still under way fails once its servers are gone; that failure has nobody left to hear it.
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
