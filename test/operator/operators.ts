import { runWherry } from '../audit/run-wherry.ts'
import { setUpOperator } from '../console/console-client.ts'
import type { WholeService } from '../engine/whole-service.ts'
import type { TestService } from '../support/service.ts'

interface FoundRun {
  id: string
  state: string
  obstacle: { code: string; message: string; must_act?: string; role?: string } | null
  next_step: string | null
  warnings: { code: string; entity: string; count: number }[]
}

/** An operator's reads and acts, through the console or the command line. */
export interface Hands {
  /** Imports with an active run that has this obstacle. */
  findStuck(code: string): Promise<string[]>
  look(importId: string): Promise<FoundRun>
  workers(): Promise<number>
  resume(runId: string): Promise<unknown>
  skip(runId: string): Promise<unknown>
  /** Issues a new portal address for the customer. */
  issueLink(importId: string): Promise<string>
  refused(importId: string): Promise<{ entity: string; source_id: string; message: string }[]>
  retry(importId: string): Promise<unknown>
  target(partnerId: string): Promise<{ url: string; health: string; given_up: number }>
  setTarget(partnerId: string, url: string): Promise<unknown>
  replay(partnerId: string): Promise<unknown>
}

/** Acts only through the console's routes, as its pages call them. */
export async function byConsole(whole: WholeService): Promise<Hands> {
  const { browser } = await setUpOperator(whole as unknown as TestService, 'Olga', 'owner')
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await browser.ask(method, path, method === 'GET' ? undefined : (body ?? {}))
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  return {
    async findStuck(code) {
      const { runs } = await ask('GET', '/overview')
      return runs
        .filter((run: FoundRun) => run.obstacle?.code === code)
        .map((run: { import_id: string }) => run.import_id)
    },
    async look(importId) {
      const imp = await ask('GET', `/imports/${importId}`)
      const { obstacles } = await ask('GET', '/obstacles')
      const advice = obstacles.find(({ code }: { code: string }) => code === imp.obstacle?.code)
      return { ...imp.run, obstacle: imp.obstacle, warnings: imp.warnings, next_step: advice?.next_step ?? null }
    },
    workers: async () => (await ask('GET', '/overview')).workers,
    resume: (runId) => ask('POST', `/runs/${runId}/resume`),
    skip: (runId) => ask('POST', `/runs/${runId}/skip`),
    issueLink: async (importId) => (await ask('POST', `/imports/${importId}/link`)).redirect_url,
    refused: async (importId) => (await ask('GET', `/imports/${importId}/records?state=refused`)).records,
    retry: (importId) => ask('POST', `/imports/${importId}/retry`),
    target: async (partnerId) =>
      (await ask('GET', '/webhooks')).targets.find((one: { partner_id: string }) => one.partner_id === partnerId),
    setTarget: (partnerId, url) => ask('PUT', `/partners/${partnerId}/webhook`, { url }),
    replay: (partnerId) => ask('POST', `/partners/${partnerId}/webhook/replay`),
  }
}

/** Acts only through the command line, with --json. */
export async function byCommands(whole: WholeService): Promise<Hands> {
  const wherry = async (...args: string[]) => {
    const env = { WHERRY_ALLOWED_NETWORKS: '127.0.0.0/8', WHERRY_ORIGIN: whole.origin }
    const { code, stdout, stderr } = await runWherry(String(whole.config.databaseUrl), [...args, '--json'], env)
    // `doctor` exits with 1 if it finds a problem, and prints it.
    if (code !== 0 && args[0] !== 'doctor') throw new Error(`wherry ${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }
  return {
    findStuck: async (code) =>
      (await wherry('run', 'list', '--obstacle', code)).map((run: { import_id: string }) => run.import_id),
    async look(importId) {
      const imp = await wherry('import', 'show', importId)
      return { ...imp.run, obstacle: imp.obstacle, warnings: imp.warnings, next_step: imp.next_step ?? null }
    },
    async workers() {
      const { checks }: { checks: { check: string; message: string }[] } = await wherry('doctor')
      return Number.parseInt(checks.find(({ check }) => check === 'workers')?.message ?? '', 10) || 0
    },
    resume: (runId) => wherry('run', 'resume', runId),
    skip: (runId) => wherry('run', 'skip', runId),
    issueLink: async (importId) => (await wherry('import', 'link', importId)).redirect_url,
    refused: (importId) => wherry('import', 'records', importId, '--state', 'refused'),
    retry: (importId) => wherry('import', 'retry', importId),
    target: async (partnerId) =>
      (await wherry('webhook', 'list')).find((one: { partner_id: string }) => one.partner_id === partnerId),
    setTarget: (partnerId, url) => wherry('webhook', 'set', '--partner', partnerId, '--url', url),
    replay: (partnerId) => wherry('webhook', 'replay', '--failed', '--partner', partnerId),
  }
}
