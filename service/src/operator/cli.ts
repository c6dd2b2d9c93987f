import { Command, CommanderError } from 'commander'
import { readConfig } from '../config.ts'
import { describeLeftOut, loadConnectors } from '../connectors/load-connectors.ts'
import { type Db, openDatabase } from '../db/open-database.ts'
import { reachDatabase } from '../db/reach-database.ts'
import { OperatorError } from '../errors.ts'
import { endImport } from '../imports/end-import.ts'
import { listImportsForOperator, showImportForOperator } from '../imports/operator-view.ts'
import { loadKeyRing } from '../load-key-ring.ts'
import type { Role } from '../main.ts'
import { createAddressGuard } from '../outbound/address-guard.ts'
import { brandPartner } from '../partners/brand-partner.ts'
import { createPartner } from '../partners/create-partner.ts'
import { disablePartner } from '../partners/disable-partner.ts'
import { listPartners, showPartner } from '../partners/find-partners.ts'
import { type PolicyChange, setPolicy, showPolicy } from '../partners/set-policy.ts'
import { type RetentionChange, setRetention, showRetention } from '../partners/set-retention.ts'
import { addAuditCommands } from './audit-commands.ts'
import { addBudgetCommand } from './budget-command.ts'
import { addCertificateCommands } from './certificate-commands.ts'
import { addCompletionCommand } from './completion-command.ts'
import { addConnectorCommands } from './connector-commands.ts'
import { addDoctorCommand } from './doctor-commands.ts'
import { addImportCommands } from './import-commands.ts'
import { addKeyCommands } from './key-commands.ts'
import { addLedgerCommands } from './ledger-commands.ts'
import { addMailCommands } from './mail-commands.ts'
import { addMappingCommands } from './mapping-commands.ts'
import { addOperatorCommands } from './operator-commands.ts'
import { addPaymentCommands } from './payment-commands.ts'
import { printResult } from './print-result.ts'
import { readLimit } from './read-limit.ts'
import { readLogo } from './read-logo.ts'
import { readSecret } from './read-secret.ts'
import { addRunCommands } from './run-commands.ts'
import { addTokenCommands } from './token-commands.ts'
import { addWebhookCommands, type LoadTools, type WithDatabase } from './webhook-commands.ts'
import { withAdvice } from './with-advice.ts'

/** Runs one command line, and returns the exit code. */
export async function runCli(argv: string[], env: Record<string, string | undefined>): Promise<number> {
  const program = buildProgram(env)
  try {
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    if (error instanceof OperatorError) {
      console.error(error.message)
      return 1
    }
    throw error
  }
}

/** Builds the tree of all commands, without running one. */
export function buildProgram(env: Record<string, string | undefined>): Command {
  const program = new Command('wherry')
    .description('Runs and operates a Wherry installation.')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })

  /** Opens the database for a command, and prints its result. Works with and without a running service. */
  const withDatabase: WithDatabase =
    <A extends unknown[]>(act: (db: Db, ...args: A) => Promise<unknown>) =>
    async (...args: [...A, Command]) => {
      const command = args.at(-1) as Command
      const config = readConfig(env)
      await using cleanup = new AsyncDisposableStack()
      const reached = await reachDatabase(config, () => {})
      cleanup.defer(() => reached.close())
      const database = openDatabase(reached.url, { poolSize: 2 })
      cleanup.defer(() => database.close())
      const result = await act(database.db, ...(args.slice(0, -1) as A))
      // A command that prints its own output returns undefined.
      if (result !== undefined) printResult(result, command.opts().json === true)
    }
  const json = ['--json', 'print JSON'] as const
  const tools: LoadTools = async () => {
    const { connectors, leftOut } = await loadConnectors(readConfig(env).connectors)
    for (const one of leftOut) console.error(describeLeftOut(one))
    return connectors
  }

  program
    .command('serve')
    .description('run the service in the foreground')
    .option('--role <role>', 'api, worker or all', 'all')
    .option('--one-per-folder', 'refuse to run beside another service of this folder', false)
    .option('--with-demo', 'also run the demo, as WHERRY_DEMO says', false)
    .action(async (options: { role: string; onePerFolder: boolean; withDemo: boolean }) => {
      const { role } = options
      if (!['api', 'worker', 'all'].includes(role)) throw new OperatorError('--role must be api, worker or all.')
      // Loaded only here: other commands do not need the HTTP code, and start in a third of the time without it.
      const { serve } = await import('./serve.ts')
      await serve(readConfig(env), { ...options, role: role as Role })
    })

  const partner = program.command('partner').description('partners, whose apps call the API')
  partner
    .command('create')
    .description('create a partner; its token and webhook secret are shown only once')
    .requiredOption('--name <name>', 'name of the partner')
    .requiredOption('--destination <tool>', 'destination tool; "open" for the partner’s own product')
    .option('--families <list>', 'families, separated by commas; default: all of the destination')
    .option('--webhook-url <url>', 'address for changes of status')
    .option(...json)
    .action(
      withDatabase(async (db, options: { name: string; destination: string; families?: string; webhookUrl?: string }) =>
        createPartner(
          db,
          {
            connectors: await tools(),
            keyRing: loadKeyRing(readConfig(env)),
            guard: createAddressGuard(readConfig(env).allowedNetworks),
          },
          {
            name: options.name,
            destination: options.destination,
            ...(options.families === undefined ? {} : { families: splitList(options.families) }),
            ...(options.webhookUrl === undefined ? {} : { webhookUrl: options.webhookUrl }),
          },
        ),
      ),
    )
  partner
    .command('list')
    .description('list all partners')
    .option(...json)
    .action(withDatabase((db) => listPartners(db)))
  partner
    .command('show <partner>')
    .description('show one partner')
    .option(...json)
    .action(withDatabase((db, id: string) => showPartner(db, id)))
  partner
    .command('disable <partner>')
    .description('refuse every token of the partner from now on, and every new run of its imports')
    .option('--stop-runs', 'also pause the runs under way; "wherry run resume" continues one')
    .option(...json)
    .action(
      withDatabase((db, id: string, { stopRuns }: { stopRuns?: boolean }) =>
        disablePartner(db, id, { stopsRuns: stopRuns === true }),
      ),
    )

  partner
    .command('brand <partner>')
    .description('set how the portal looks to the partner’s customers; "none" removes a setting')
    .option('--accent <colour>', 'colour of buttons and links, such as #14638f; adjusted if the contrast is too low')
    .option('--logo <file>', 'PNG or SVG, up to 100 kB')
    .option(...json)
    .action(
      withDatabase((db, id: string, options: { accent?: string; logo?: string }) =>
        brandPartner(db, id, {
          ...(options.accent !== undefined && { accent: options.accent === 'none' ? null : options.accent }),
          ...(options.logo !== undefined && { logo: options.logo === 'none' ? null : readLogo(options.logo) }),
        }),
      ),
    )

  partner
    .command('policy <partner> [policy]')
    .description(
      'set who pays for full migrations: ask, customer_pays, sponsor_all or sponsor_up_to; without one, show it',
    )
    .option('--limit <records>', 'with sponsor_up_to: the most records that the partner pays for')
    .option('--beyond <what>', 'with sponsor_up_to: the policy beyond the limit: ask (default) or customer_pays')
    .option('--sample-records <n>', 'number of records that the free samples of an import may copy in all')
    .option('--page <url>', 'the partner’s own page for customers who want the full migration, or "none"')
    .option(...json)
    .action(
      withDatabase(
        (db, id: string, policy: string | undefined, { json: _, ...options }: PolicyChange & { json?: boolean }) => {
          const change = { policy, ...options }
          const isShown = Object.values(change).every((one) => one === undefined)
          return isShown ? showPolicy(db, id) : setPolicy(db, id, change)
        },
      ),
    )

  partner
    .command('retention <partner>')
    .description('set how long data of completed imports is kept; without an option, show it')
    .option('--undo-days <days>', 'days in which an import can be undone; then the access to both accounts is erased')
    .option('--ledger-days <days>', 'days until names and texts of records are erased')
    .option(...json)
    .action(
      withDatabase((db, id: string, { undoDays, ledgerDays }: RetentionChange) =>
        undoDays === undefined && ledgerDays === undefined
          ? showRetention(db, id)
          : setRetention(db, id, { undoDays, ledgerDays }),
      ),
    )

  addBudgetCommand(partner, withDatabase)
  addMappingCommands(partner, withDatabase, tools)

  addTokenCommands(program, withDatabase)

  const imports = program.command('import').description('imports of all partners')
  imports
    .command('list')
    .description('list the newest imports')
    .option('--partner <partner>', 'only imports of this partner')
    .option('--limit <n>', 'how many to list', '50')
    .option(...json)
    .action(
      withDatabase(async (db, { partner: partnerId, limit }: { partner?: string; limit: string }) => {
        if (partnerId !== undefined) await showPartner(db, partnerId)
        return listImportsForOperator(db, { partnerId: partnerId ?? null, limit: readLimit(limit) })
      }),
    )
  imports
    .command('show <import>')
    .description('show an import with its newest run, obstacle, next step, warnings and payments')
    .option(...json)
    .action(withDatabase(async (db, id: string) => withAdvice(await showImportForOperator(db, id))))
  for (const [word, endedAs] of [
    ['cancel', 'cancelled'],
    ['archive', 'archived'],
  ] as const) {
    imports
      .command(`${word} <import>`)
      .description(`${word} an import; the portal and the API no longer show it`)
      .option(...json)
      .action(withDatabase((db, id: string) => endImport(db, id, endedAs)))
  }
  addImportCommands(imports, withDatabase, tools, () => readConfig(env))
  addRunCommands(program, withDatabase)
  addOperatorCommands(program, withDatabase, () => readConfig(env))
  addPaymentCommands(program, withDatabase, tools, () => readConfig(env))
  addWebhookCommands(program, withDatabase, () => readConfig(env))
  addMailCommands(program, withDatabase, tools)
  addAuditCommands(program, withDatabase)
  addCertificateCommands(program, withDatabase, () => readConfig(env))
  addKeyCommands(program, withDatabase, () => readConfig(env))
  addLedgerCommands(program, withDatabase, () => readConfig(env))
  addConnectorCommands(program, withDatabase, tools, () => readConfig(env))
  program
    .command('conformance <url>')
    .description(
      'test an implementation of the open destination protocol; the test deletes every record that it writes',
    )
    .option('--token-file <file>', 'file with the token of the test account, "-" for standard input')
    .option('--token <token>', 'deprecated: shows the token to everyone on this machine')
    .option(...json)
    .action(async (url: string, options: { token?: string; tokenFile?: string; json?: boolean }) => {
      const { json: asJson = false } = options
      const places = { option: '--token', fileOption: '--token-file' }
      const token = readSecret({ ...places, given: options.token, file: options.tokenFile })
      if (token === null) throw new OperatorError('--token-file must name a file with the token, or "-".')
      const { runConformance } = await import('./run-conformance.ts')
      await runConformance(readConfig(env), { url, token, asJson })
    })
  addDoctorCommand(program, env)
  addCompletionCommand(program)
  return program
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
