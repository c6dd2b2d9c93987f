import { type Family, familyDefinitions, isFamily } from '../families/index.ts'
import { skippedKinds, sourceWarnings, writeLosses } from '../warnings/codes.ts'
import type {
  Carried,
  Connector,
  Destination,
  DestinationDescription,
  LimitBucket,
  Source,
} from './contract/contract.ts'
import { oddKeys } from './kit/odd-keys.ts'
import { namesOf, vetCredentials, vetOffer, vetUnasked } from './vet-credentials.ts'

/**
 * Faults in a connector's declaration, each with its place; empty if there are none. An external connector may declare
 * anything.
 */
export function vetDeclaration(given: unknown): string[] {
  if (typeof given !== 'object' || given === null) return ['the module exports no connector']
  const { tool, label, families, source, destination, movesBetweenInstances, words, limits } =
    given as Partial<Connector>
  const problems: string[] = []
  const require = (isFine: boolean, place: string, message: string) => {
    if (!isFine) problems.push(`${place}: ${message}`)
  }
  const requireKnown = (place: string, part: object, known: readonly string[]) => {
    for (const key of oddKeys(part, known)) require(false, `${place}${key}`, 'there is no such field')
  }
  requireKnown('', given, connectorKeys)
  require(isName(tool), 'tool', 'must be a name of lowercase letters, digits and _')
  const isLabel = typeof label === 'string' && /\S/.test(label) && label.length <= longestLabel
  require(isLabel, 'label', `must say what people call the tool, in at most ${longestLabel} characters`)
  const known = (Array.isArray(families) ? families : []).filter(isFamily)
  require(known.length > 0, 'families', 'must name at least one family')
  for (const family of Array.isArray(families) ? families : []) {
    require(isFamily(String(family)), 'families', `there is no family ${String(family)}`)
  }
  for (const family of new Set(known)) {
    require(known.indexOf(family) === known.lastIndexOf(family), 'families', `${family} is there twice`)
  }
  require(typeof movesBetweenInstances === 'boolean', 'movesBetweenInstances', 'must be true or false')
  problems.push(...vetLimits(limits))
  require(source !== undefined || destination !== undefined, 'source', 'or destination must be there')
  const entities = known.flatMap((family) => familyDefinitions[family].entities.map(({ name }) => name))
  const vetSide = (place: 'source' | 'destination', side: Source | Destination) => {
    if (typeof side !== 'object' || side === null) return require(false, place, 'must be an object')
    requireKnown(`${place}.`, side, place === 'source' ? sourceKeys : destinationKeys)
    for (const name of ['checkAccount', 'open'] as const) {
      require(typeof side[name] === 'function', `${place}.${name}`, 'must be a function')
    }
    require(Array.isArray(side.requires), `${place}.requires`, 'must list what a customer is asked for')
    problems.push(...vetCredentials(place, side.requires, words), ...vetOffer(place, side))
  }
  const vetNames = (place: string, names: unknown, known: readonly string[], what: string) => {
    require(names === undefined || Array.isArray(names), place, 'must be a list')
    for (const name of Array.isArray(names) ? names : []) {
      require(known.includes(String(name)), place, `there is no ${what} ${String(name)}`)
    }
  }
  if (source !== undefined) vetSide('source', source)
  if (destination !== undefined) vetSide('destination', destination)
  problems.push(...vetUnasked(words, [source, destination]))
  const isOneSided = source === undefined || destination === undefined
  require(movesBetweenInstances !== true || !isOneSided, 'movesBetweenInstances', 'needs a source and a destination')
  if (source) {
    vetNames('source.tellsDeleted', source.tellsDeleted, entities, 'entity')
    vetNames('source.nested', source.nested, entities, 'entity')
    vetNames('source.warns', source.warns, Object.keys(sourceWarnings), 'warning')
    vetNames('source.skips', source.skips, Object.keys(skippedKinds), 'kind')
    const { requestsAtOnce = 1 } = source
    const isCount = Number.isInteger(requestsAtOnce) && requestsAtOnce >= 1 && requestsAtOnce <= mostAtOnce
    require(isCount, 'source.requestsAtOnce', `must be a whole number from 1 to ${mostAtOnce}`)
    const isUploaded = namesOf(source.requires).includes('uploadId')
    require(isUploaded === (source.intake !== undefined), 'source.intake', 'belongs to a source that requires uploadId')
  }
  if (destination) vetNames('destination.loses', destination.loses, Object.keys(writeLosses), 'loss')
  return problems
}

const longestLabel = 100
const mostAtOnce = 64
const connectorKeys = ['tool', 'label', 'families', 'movesBetweenInstances', 'words', 'limits', 'source', 'destination']
const sideKeys = ['requires', 'oauth', 'checkAccount', 'open']
const sourceKeys = [...sideKeys, 'tellsDeleted', 'nested', 'requestsAtOnce', 'warns', 'skips', 'intake']
const destinationKeys = [...sideKeys, 'loses']
const isName = (name: unknown) => typeof name === 'string' && /^[a-z][a-z0-9_]{0,49}$/.test(name)

const limitKeys = ['name', 'perMs', 'limit', 'isAligned', 'cost', 'learn']
const longestWindowMs = 40 * 24 * 3_600_000

function vetLimits(limits: unknown): string[] {
  if (limits === undefined) return []
  if (!Array.isArray(limits)) return ['limits: must be a list']
  const names = limits.map((bucket: Partial<LimitBucket>) => String(bucket?.name))
  return limits.flatMap((bucket: Partial<LimitBucket>, at) => {
    const { perMs = 0, limit, cost, learn } = bucket ?? {}
    const place = `limits.${names[at]}`
    return [
      ...(isName(bucket?.name) ? [] : [`${place}: must have a name of lowercase letters`]),
      ...(names.indexOf(String(names[at])) === at ? [] : [`${place}: is there twice`]),
      ...(Number.isFinite(perMs) && perMs >= 100 && perMs <= longestWindowMs
        ? []
        : [`${place}.perMs: must be between 100 ms and 40 days`]),
      ...(limit === null || (Number.isFinite(limit) && Number(limit) > 0)
        ? []
        : [`${place}.limit: must be more than 0, or null`]),
      ...(limit !== null || learn !== undefined ? [] : [`${place}.learn: must be there where the limit is null`]),
      ...oddKeys(bucket ?? {}, limitKeys).map((key) => `${place}.${key}: there is no such field`),
      ...([cost, learn].every((act) => act === undefined || typeof act === 'function')
        ? []
        : [`${place}: cost and learn must be functions`]),
    ]
  })
}

const entityCapabilityKeys = [
  ...['deliveryClass', 'silentCreate', 'backdate', 'batchSize', 'concurrency', 'settleMs', 'lateMs', 'idempotencyMs'],
  ...['lane', 'laneIdEnds'],
]
const capabilityKeys = [
  ...entityCapabilityKeys.filter((key) => !key.startsWith('lane')),
  ...['delete', 'createField', 'requestsAtOnce', 'keepsRevisions', 'conditionalWrites', 'requestsPerSecond'],
]
const entityKeys = [
  ...['fields', 'customFields', 'capabilities', 'sendsMail', 'hidesLinks', 'removal', 'isPlacedByFind'],
  ...['isUnchangeable', 'unites', 'fixedRelations', 'carries', 'besideParents'],
]
const removals: readonly string[] = ['itself', 'with parent', 'never']
/** A run waits for these times. A number in another unit would stop it for years. */
const longestWaitMs = 24 * 3_600_000
const namesIn = (list: unknown): readonly string[] => (Array.isArray(list) ? list : [])

/** Faults in an account's description of itself as a destination. */
export function vetDescription({ capabilities, entities }: DestinationDescription, family: Family): string[] {
  const problems: string[] = []
  const require = (isFine: boolean, place: string, message: string) => {
    if (!isFine) problems.push(`${place}: ${message}`)
  }
  const sides = Object.entries(entities).map(([name, { capabilities: own }]) => [`entities.${name}.`, own] as const)
  const requireKnown = (place: string, part: object, known: readonly string[]) => {
    for (const key of oddKeys(part, known)) require(false, `${place}.${key}`, 'there is no such field')
  }
  for (const [place, some] of [['', capabilities] as const, ...sides]) {
    const all = { ...capabilities, ...some }
    requireKnown(`${place}capabilities`, some ?? {}, place === '' ? capabilityKeys : entityCapabilityKeys)
    for (const name of ['batchSize', 'concurrency'] as const) {
      require(Number.isInteger(all[name]) && all[name] >= 1, `${place}capabilities.${name}`, 'must be at least 1')
    }
    for (const [name, ms] of Object.entries({ settleMs: all.settleMs, lateMs: all.lateMs ?? 0 })) {
      const isTime = typeof ms === 'number' && ms >= 0 && ms <= longestWaitMs
      require(isTime, `${place}capabilities.${name}`, 'must be a number of milliseconds, at most those of a day')
    }
    require(['A', 'B', 'C', 'D'].includes(
      all.deliveryClass,
    ), `${place}capabilities.deliveryClass`, 'must be A, B, C or D')
    const remembers = all.idempotencyMs ?? 0
    require(typeof remembers === 'number' &&
      remembers >= 0, `${place}capabilities.idempotencyMs`, 'must be a number of milliseconds')
    require(all.deliveryClass !== 'B' ||
      remembers > 0, `${place}capabilities.idempotencyMs`, 'must be there for class B')
  }
  for (const [name, described] of Object.entries(entities)) {
    const { fields, capabilities: own, unites, removal = 'itself' } = described
    requireKnown(`entities.${name}`, described, entityKeys)
    require(removals.includes(removal), `entities.${name}.removal`, `must be one of ${removals.join(', ')}`)
    const fixedRelations = namesIn(described.fixedRelations)
    const requireList = (list: unknown, place: string) =>
      require(list === undefined || Array.isArray(list), `entities.${name}.${place}`, 'must be a list of its fields')
    requireList(described.fixedRelations, 'fixedRelations')
    requireList(unites?.by, 'unites.by')
    const requireField = (field: string, place: string) =>
      require(Object.hasOwn(fields, field), `entities.${name}.${place}`, `${field} is no field of it`)
    for (const field of namesIn(unites?.by)) requireField(field, 'unites.by')
    if (unites?.fixed) requireField(unites.fixed.field, 'unites.fixed.field')
    const isRelation = (field: string) => fields[field]?.type === 'relation'
    const lane = own?.lane
    require(lane === undefined ||
      isRelation(lane), `entities.${name}.capabilities.lane`, `${lane} is no relation of it`)
    const ends = own?.laneIdEnds
    const isEnd = typeof ends === 'string' && ends !== '' && lane !== undefined
    require(ends === undefined ||
      isEnd, `entities.${name}.capabilities.laneIdEnds`, 'must be a text, and needs a lane beside it')
    for (const field of fixedRelations) {
      require(isRelation(field), `entities.${name}.fixedRelations`, `${field} is no relation of it`)
    }
  }
  return [...problems, ...vetCarried(entities, family)]
}

/**
 * Faults in `carries`: only records that belong to another record can be sent inside it, and they carry nothing
 * themselves.
 */
export function vetCarried(entities: DestinationDescription['entities'], family: Family): string[] {
  const defined = familyDefinitions[family].entities
  // An account with several families describes all of them, so other families are ignored.
  const carriers = Object.entries(entities).filter(([carrier]) => defined.some(({ name }) => name === carrier))
  return carriers.flatMap(([carrier, { carries = {} }]) =>
    Object.entries(carries).flatMap(([name, carried]) => {
      const { most = 0, isUploaded = false } = (carried ?? {}) as Partial<Carried>
      const place = `entities.${carrier}.carries.${name}`
      const child = defined.find((entity) => entity.name === name)
      const parent = child?.parent
      const belongs = parent !== undefined && child?.fields[parent]?.to?.includes(carrier) === true
      const others = Object.keys(entities[name]?.carries ?? {})
      return [
        ...(entities[name] ? [] : [`${place}: ${name} is no entity that the destination takes`]),
        ...(belongs ? [] : [`${place}: ${name} do not belong to ${carrier}`]),
        ...(child?.isTop ? [`${place}: ${name} stand for themselves`] : []),
        ...(isFileEntity(name) && !isUploaded
          ? [`${place}: files travel by themselves, unless they are uploaded first`]
          : []),
        ...(isUploaded && !isFileEntity(name) ? [`${place}.isUploaded: ${name} are no files`] : []),
        ...(name === carrier ? [`${place}: an entity cannot carry itself`] : []),
        ...(others.length === 0 || name === carrier ? [] : [`${place}: ${name} carry ${others.join(', ')} themselves`]),
        ...(Number.isInteger(most) && most >= 1 ? [] : [`${place}.most: must be at least 1`]),
      ]
    }),
  )
}

const isFileEntity = (entity: string) => entity === 'attachments' || entity === 'media'
