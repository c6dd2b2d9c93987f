import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Connector } from '../connectors/contract/contract.ts'
import type { Db } from '../db/open-database.ts'
import { OperatorError, ValidationError } from '../errors.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { parseChanges } from '../mapping/changes-schema.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { listPartnerMappings, providePartnerMapping, removePartnerMapping } from '../mapping/saved-mappings.ts'
import { showPartner } from '../partners/find-partners.ts'
import { requirePlainText } from '../partners/plain-text.ts'
import type { LoadTools, WithDatabase } from './webhook-commands.ts'

const json = ['--json', 'print JSON'] as const

interface SetOptions {
  name: string
  source?: string
  family?: string
  file?: string
  import?: string
}

/** Commands for mappings that a partner recommends to its customers. */
export function addMappingCommands(partner: Command, withDatabase: WithDatabase, tools: LoadTools): void {
  const mapping = partner.command('mapping').description('mappings that the portal offers to the partner’s customers')
  mapping
    .command('list <partner>')
    .description('list the mappings of a partner')
    .option(...json)
    .action(
      withDatabase(async (db, id: string) => {
        await showPartner(db, id)
        return (await listPartnerMappings(db, id)).map(({ changes: _, ...mapping }) => mapping)
      }),
    )
  mapping
    .command('show <mapping>')
    .description('print the changes of a mapping as JSON, for "set --file"')
    .action(withDatabase(async (db, id: string) => (await requireOwn(db, id)).changes))
  mapping
    .command('set <partner>')
    .description('offer a mapping; it replaces one with the same name and tools')
    .requiredOption('--name <name>', 'the name that customers see')
    .option('--file <file>', 'JSON as in "changes" of docs/portal-api.md; with --source and --family')
    .option('--source <tool>', 'the source tool')
    .option('--family <family>', 'the family of the tools')
    .option('--import <import>', 'instead of a file: the mapping saved in this import')
    .option(...json)
    .action(withDatabase(async (db, id: string, options: SetOptions) => setMapping(db, await tools(), id, options)))
  mapping
    .command('remove <mapping>')
    .description('stop offering a mapping')
    .option(...json)
    .action(
      withDatabase(async (db, id: string) => {
        const { changes: _, saved_at: __, ...removed } = (await removePartnerMapping(db, id, 'operator')) ?? missing(id)
        return removed
      }),
    )
}

async function requireOwn(db: Db, id: string) {
  const found = await db
    .selectFrom('saved_mappings')
    .select(['id', 'name', 'family', 'source_tool', 'changes'])
    .where('id', '=', id)
    .where('destination_account', 'is', null)
    .executeTakeFirst()
  return found ?? missing(id)
}

function missing(id: string): never {
  throw new OperatorError(`There is no mapping ${id}. "wherry partner mapping list <partner>" shows all.`)
}

async function setMapping(db: Db, connectors: readonly Connector[], partnerId: string, options: SetOptions) {
  const { destination_tool: destinationTool } = await showPartner(db, partnerId)
  requirePlainText('--name', options.name, 100)
  const given =
    options.import === undefined ? readGiven(connectors, options) : await takeFrom(db, partnerId, options.import)
  const { changes, ...place } = given
  const named = { partnerId, destinationTool, name: options.name, ...place }
  const { id } = await providePartnerMapping(db, named, changes, 'operator').catch((error: unknown) => {
    if (error instanceof ValidationError) throw new OperatorError(`--name ${error.fields.name?.join('; ')}`)
    throw error
  })
  return { id, name: options.name, family: place.family, source_tool: place.sourceTool }
}

function readGiven(connectors: readonly Connector[], { source, family, file }: SetOptions) {
  if (source === undefined || family === undefined || file === undefined) {
    throw new OperatorError('Give --import <import>, or --file, --source and --family together.')
  }
  if (!connectors.some((one) => one.tool === source && one.source)) {
    throw new OperatorError(`--source must be a tool that data can come from, not "${source}".`)
  }
  if (!Object.hasOwn(familyDefinitions, family)) {
    throw new OperatorError(`--family must be one of ${Object.keys(familyDefinitions).join(', ')}.`)
  }
  return { sourceTool: source, family: family as Family, changes: readFile(file) }
}

function readFile(file: string) {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new OperatorError(`${file} cannot be read as JSON: ${(error as Error).message}`)
  }
  try {
    return parseChanges(given)
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    const [[path, messages] = ['', []]] = Object.entries(error.fields)
    throw new OperatorError(`${file}: ${path} ${messages.join('; ')}`)
  }
}

async function takeFrom(db: Db, partnerId: string, importId: string) {
  const imp = await db
    .selectFrom('imports')
    .select(['family', 'source_tool'])
    .where('id', '=', importId)
    .where('partner_id', '=', partnerId)
    .executeTakeFirst()
  if (!imp) throw new OperatorError(`Partner ${partnerId} has no import ${importId}.`)
  const { changes } = await findNewest(db, importId)
  return { sourceTool: imp.source_tool, family: imp.family, changes }
}
