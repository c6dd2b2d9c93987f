import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import type {
  Account,
  AccountAccess,
  Connector,
  DestinationDescription,
  SentRelation,
  Writer,
} from '../connectors/contract/contract.ts'
import { credentialsOf, isAccountField } from '../connectors/credentials.ts'
import { sidesInMemory } from '../connectors/kit/sides-in-memory.ts'
import { vetOutcomes } from '../engine/vet-outcomes.ts'
import { isAddressRefusal, OperatorError } from '../errors.ts'
import { type Family, familyDefinitions } from '../families/index.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { type Made, type ProbeFact, probeEntity, removeMade } from './probe-entity.ts'

export interface ProbeOptions {
  /** A file with the credentials as JSON, or "-" for standard input. */
  account: string
  family?: string
  /** Whether the probe may write records to the account. */
  yes?: boolean
  /** The maximum number of seconds to search for a record by our key. */
  wait?: string
  mailTo?: string
}

export interface ProbeResult {
  tool: string
  account: string
  written: string
  facts: ProbeFact[]
  /** Records that the probe created, or may have created, and could not remove. */
  left: { entity: string; destination_id: string; why: string }[]
  /** What the facts say nothing about. */
  not_checked: string[]
}

/** Files are not probed: contract suites test them, and a probe would take long. */
const isFileEntity = (entity: string) => entity === 'attachments' || entity === 'media'

/** Tests on a real account what the tool's documentation leaves open, and reports the results. */
export async function probeConnector(
  connector: Connector,
  options: ProbeOptions,
  { allowedNetworks }: Pick<Config, 'allowedNetworks'>,
): Promise<ProbeResult> {
  const family = familyOf(connector, options.family)
  const waitMs = secondsOf(options.wait ?? '300') * 1000
  const role = connector.destination ? 'destination' : 'source'
  const side = connector.destination ?? connector.source
  if (!side || connector.source?.intake) throw new OperatorError(`${connector.label} has no account to probe.`)
  const access = readAccess(connector, role, options.account)
  await using cleanup = new AsyncDisposableStack()
  const outbound = createOutbound(allowedNetworks)
  cleanup.defer(() => outbound.close())
  const account: Account = { access, outbound, signal: AbortSignal.timeout(3_600_000), sides: sidesInMemory() }
  const { name } = await side.checkAccount(account).catch((error: Error) => {
    const why = isAddressRefusal(error.cause) ? notAllowed : error.message
    throw new OperatorError(`${connector.label} could not be signed in to: ${why}`)
  })
  const facts = await readFacts(connector, account, family)
  const answer = { tool: connector.tool, account: name, facts, left: [] }
  const ofSource = uncheckedOfSource(connector, family)
  if (!connector.destination)
    return { ...answer, written: 'nothing: the connector only reads', not_checked: [...ofSource, ...never] }
  const writer = await openWriter(connector, account, family)
  const description = await writer.describe()
  const kinds = Object.keys(description.entities).filter((entity) => !isFileEntity(entity))
  if (!options.yes) {
    return {
      ...answer,
      written: `nothing. With --yes two records of each kind are made and removed: ${kinds.join(', ')}`,
      not_checked: ['everything about writing: the probe ran without --yes', ...ofSource, ...never],
    }
  }
  const probed = await writeFacts(writer, description, family, {
    waitMs,
    mailTo: options.mailTo ?? 'probe@example.invalid',
  })
  const skipped = [...probed.skipped, ...uncheckedOfDestination(description), ...ofSource, ...never]
  const { written, left } = probed
  return { ...answer, written, facts: [...facts, ...probed.facts], left, not_checked: skipped }
}

/** What no probe looks at. */
const never = ['limits of the tool, and its answers to many requests at once', 'whether mails were sent']

function uncheckedOfSource({ source, families }: Connector, family: Family): string[] {
  const others = families.filter((one) => one !== family)
  return [
    ...(source
      ? [
          'reading: pages after the first, values of fields, changes since a time, people, bytes of files',
          ...(source.tellsDeleted?.length ? [`deletions of ${source.tellsDeleted.join(', ')}`] : []),
        ]
      : []),
    ...(others.length > 0 ? [`the families ${others.join(', ')}: name one with --family`] : []),
  ]
}

function uncheckedOfDestination({ entities }: DestinationDescription): string[] {
  const names = Object.keys(entities)
  const carried = names.flatMap((name) =>
    Object.keys(entities[name]?.carries ?? {}).map((part) => `${part} in ${name}`),
  )
  const custom = names.filter((name) => entities[name]?.customFields.length)
  const files = names.filter(isFileEntity)
  return [
    'changes of records that the tool already has',
    ...(files.length > 0 ? [`files: ${files.join(', ')}`] : []),
    ...(custom.length > 0 ? [`custom fields of ${custom.join(', ')}`] : []),
    ...(carried.length > 0 ? [`records inside others: ${carried.join(', ')}`] : []),
  ]
}

/** Judged like the writer of a run. */
async function openWriter({ tool, label, destination }: Connector, account: Account, family: Family): Promise<Writer> {
  if (!destination) throw new OperatorError(`${label} is no destination.`)
  return vetOutcomes(tool, await destination.open(account, family), family)
}

const notAllowed =
  'The address is in a network that this service must not reach. To allow it, add it to WHERRY_ALLOWED_NETWORKS.'

const many = (count: number, thing: string) => `${count} ${thing}${count === 1 ? '' : 's'}`

/** The facts that can be found by reading only. */
async function readFacts({ source }: Connector, account: Account, family: Family): Promise<ProbeFact[]> {
  if (!source) return []
  const reader = await source.open(account, family)
  const counts = await reader.count()
  const facts: ProbeFact[] = []
  for (const [entity, count] of Object.entries(counts)) {
    const { items, warnings, next } = await reader.read(entity, null, {})
    const more = next === null ? '' : ', and there are more pages'
    facts.push({
      entity,
      fact: 'read',
      result: `${many(items.length, 'record')}, ${many(warnings.length, 'warning')}${more}`,
    })
    facts.push({ entity, fact: 'counted', result: count === null ? 'the tool does not tell' : String(count) })
  }
  return facts
}

async function writeFacts(
  writer: Writer,
  description: DestinationDescription,
  family: Family,
  { waitMs, mailTo }: { waitMs: number; mailTo: string },
): Promise<Pick<ProbeResult, 'written' | 'facts' | 'left'> & { skipped: string[] }> {
  const [someone] = (await writer.users(null)).items
  const run = `probe_${randomUUID().slice(0, 8)}`
  const relations = new Map<string, SentRelation>()
  const made: Made[] = []
  const facts: ProbeFact[] = []
  const skipped: string[] = []
  const maybe: ProbeResult['left'] = []
  for (const definition of familyDefinitions[family].entities) {
    const { name: entity } = definition
    const taken = description.entities[entity]
    if (!taken || isFileEntity(entity)) continue
    const around = { description, made: relations, user: someone?.id ?? null, mailTo }
    const lost: string[] = []
    const place = { key: `${run}/${entity}/1`, waitMs, made, lost }
    const note = (fact: string, result: string) => facts.push({ entity, fact, result })
    note('declared', `class ${taken.capabilities?.deliveryClass ?? description.capabilities.deliveryClass}`)
    try {
      const probed = await probeEntity(writer, definition, around, place)
      facts.push(...probed.facts)
      skipped.push(...probed.skipped)
      if (probed.relation) relations.set(entity, probed.relation)
    } catch (error) {
      note('error', error instanceof Error ? error.message.slice(0, 200) : String(error))
      skipped.push(`${entity}, after the error`)
    }
    const mayBe = (why: string) => `it may have been made, although its request failed: ${why}`
    maybe.push(...lost.map((why) => ({ entity, destination_id: 'unknown', why: mayBe(why) })))
  }
  const count = made.length
  const { facts: removed, left } = await removeMade(writer, made)
  const mail = `nobody can see mails from here: look whether one has arrived at ${mailTo}, and at the people of the account`
  return {
    skipped,
    written: `${count} records, of which ${count - left.length} are removed again`,
    facts: [...facts, ...removed, { entity: 'all', fact: 'mail', result: mail }],
    left: [...left.map(({ entity, destinationId, why }) => ({ entity, destination_id: destinationId, why })), ...maybe],
  }
}

function familyOf({ families, label }: Connector, asked: string | undefined): Family {
  const family = asked === undefined ? families[0] : families.find((one) => one === asked)
  if (!family) throw new OperatorError(`--family must be one of ${families.join(', ')} for ${label}.`)
  return family
}

function secondsOf(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new OperatorError('--wait must be a number of seconds up to 9999.')
  return Number(text)
}

/** Reads credentials by their API names: `instance_url`, `username`, `token`, or names that the connector defines. */
function readAccess(connector: Connector, role: 'source' | 'destination', file: string): AccountAccess {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'))
  } catch {
    throw new OperatorError(
      `--account must name a file with JSON, or "-" for standard input; ${file} cannot be read so.`,
    )
  }
  const values = (typeof given === 'object' && given !== null ? given : {}) as Record<string, unknown>
  const access: AccountAccess = { instanceUrl: null, username: null, token: null }
  const asked = credentialsOf(connector, role)
  for (const { name, wireName, isOptional } of asked) {
    const value = values[wireName]
    if (value === undefined && isOptional) continue
    if (typeof value !== 'string' || value === '') throw new OperatorError(`The file of --account lacks ${wireName}.`)
    if (isAccountField(name)) access[name] = value
    else access.more = { ...access.more, [name]: value }
  }
  const unknown = Object.keys(values).filter((name) => !asked.some(({ wireName }) => wireName === name))
  if (unknown.length > 0) throw new OperatorError(`${connector.label} does not ask for ${unknown.join(', ')}.`)
  return access
}
