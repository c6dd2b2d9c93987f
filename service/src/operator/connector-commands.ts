import type { Command } from 'commander'
import { redirectUriAt } from '../authorizations/begin-sign-in.ts'
import { listOAuthClients, removeOAuthClient, setOAuthClient } from '../authorizations/oauth-clients.ts'
import type { Config } from '../config.ts'
import { admitConnector, listSetAside } from '../engine/set-aside.ts'
import { OperatorError } from '../errors.ts'
import { loadKeyRing } from '../load-key-ring.ts'
import { checkConnector } from './check-connector.ts'
import { writeNewConnector } from './new-connector.ts'
import { printResult } from './print-result.ts'
import { type ProbeOptions, probeConnector } from './probe-connector.ts'
import { readSecret } from './read-secret.ts'
import type { LoadTools, WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const
const ofInstance = [
  '--instance <url>',
  'address of the instance, for Zendesk and for a tool that people run themselves',
] as const

interface SetOptions {
  clientId: string
  clientSecret?: string
  clientSecretFile?: string
  instance?: string
}

export function addConnectorCommands(
  program: Command,
  withDatabase: WithDatabase,
  tools: LoadTools,
  config: () => Config,
): void {
  const connector = program
    .command('connector')
    .description('write and test your own connectors, and set up sign-ins to tools')
  connector
    .command('new <name>')
    .description('write a folder with a new connector, which passes its checks and reads nothing yet')
    .option('--in <folder>', 'where to put it', '.')
    .option(...json)
    .action(async (name: string, options: { in: string; json?: boolean }) => {
      printResult(await writeNewConnector(name, options.in), options.json === true)
    })
  connector
    .command('check <name>')
    .description('run the contract tests of a connector, given by its folder or by its name in WHERRY_CONNECTORS')
    .action((name: string) => checkConnector(name, config().connectors))
  connector
    .command('probe <tool>')
    .description(
      'test points that documentation leaves open on a trial account: one key twice, times, reading back, removal',
    )
    .requiredOption('--account <file>', 'file with the credentials as JSON, "-" for standard input')
    .option('--family <family>', 'family to probe; by default the first of the connector')
    .option('--yes', 'write records to the account and remove them again; without it the account is only read')
    .option('--wait <seconds>', 'how long to look for a record by our key', '300')
    .option('--mail-to <address>', 'address that contacts of the probe get, to see whether the tool sends mail')
    .option(...json)
    .action(async (tool: string, options: ProbeOptions & { json?: boolean }) => {
      const known = (await tools()).find((one) => one.tool === tool)
      if (!known)
        throw new OperatorError(`There is no tool ${tool}. A connector of your own is named in WHERRY_CONNECTORS.`)
      const result = await probeConnector(known, options, config())
      printResult(result, options.json === true)
      if (result.left.length > 0)
        throw new OperatorError('Some records of the probe are or may be left in the account; see `left` above.')
    })
  connector
    .command('set-aside')
    .description(
      'list connectors that kept a process busy, and that are not called until they change or you admit them',
    )
    .option(...json)
    .action(withDatabase((db) => listSetAside(db)))
  connector
    .command('admit <tool>')
    .description('call the connector again; its paused runs wait until you resume them')
    .option(...json)
    .action(withDatabase((db, tool: string) => admitConnector(db, tool)))
  const oauth = connector
    .command('oauth')
    .description('clients of this installation at tools that customers sign in to by OAuth 2')
  oauth
    .command('set <tool>')
    .description('set the client id and secret that the tool issued; the output has the address to register there')
    .requiredOption('--client-id <id>', 'client id')
    .option(
      '--client-secret-file <file>',
      'file with the client secret, "-" for standard input; a public client has none',
    )
    .option('--client-secret <secret>', 'deprecated: shows the secret to everyone on this machine')
    .option(...ofInstance)
    .option(...json)
    .action(
      withDatabase(async (db, tool: string, options: SetOptions) => {
        const { clientId, clientSecret, clientSecretFile, instance = null } = options
        const secret = readSecret({
          option: '--client-secret',
          fileOption: '--client-secret-file',
          given: clientSecret,
          file: clientSecretFile,
        })
        const parts = { keyRing: loadKeyRing(config()), connectors: await tools() }
        const kept = await setOAuthClient(db, parts, { tool, instance, clientId, secret })
        const origin = config().origin ?? `http://localhost:${config().port}`
        return { ...kept, redirect_uri: redirectUriAt(origin) }
      }),
    )
  oauth
    .command('list')
    .description('list the clients; never their secrets')
    .option(...json)
    .action(withDatabase((db) => listOAuthClients(db)))
  oauth
    .command('remove <tool>')
    .description('remove this sign-in; its accounts can be used until their tokens run out')
    .option(...ofInstance)
    .option(...json)
    .action(
      withDatabase((db, tool: string, options: { instance?: string }) =>
        removeOAuthClient(db, tool, options.instance ?? null),
      ),
    )
}
