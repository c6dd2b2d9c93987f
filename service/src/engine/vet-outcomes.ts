import type {
  OutgoingPart,
  OutgoingRecord,
  RemoveOutcome,
  SideOutcome,
  WriteOutcome,
  Writer,
} from '../connectors/contract/contract.ts'
import { isStorable } from '../connectors/is-storable.ts'
import { vetDescription } from '../connectors/vet-declaration.ts'
import { ConnectorFaultError } from '../errors.ts'
import type { Family } from '../families/index.ts'
import { writeLosses } from '../warnings/codes.ts'
import { addRole } from './blame-account.ts'

/**
 * The same writer, of which nothing is believed that cannot be true. An answer about a record that was not sent, or
 * two about one, makes all of the call doubtful: perhaps they are those of other records. A record without an answer
 * is in doubt alone.
 */
export function vetOutcomes(tool: string, writer: Writer, family: Family): Writer {
  const fault = (what: string) => new ConnectorFaultError(tool, what)
  /** Entities whose records stay apart in the destination. */
  const apart = new Set<string>()
  return {
    ...writer,
    async describe() {
      const description = await writer.describe()
      const [problem] = vetDescription(description, family)
      if (problem !== undefined) throw fault(`describe() contradicts itself at ${problem}`)
      for (const [name, { unites }] of Object.entries(description.entities)) if (!unites) apart.add(name)
      return description
    },
    async write(entity, records) {
      const outcomes = await writer.write(entity, records)
      const vetted = vetWritten(`write(${entity})`, records, outcomes, fault)
      if (apart.has(entity) && hasSharedId(records, vetted)) throw fault(`write(${entity}) gave two new records one id`)
      return vetted
    },
    async writeFile(entity, file) {
      const outcome = await writer.writeFile(entity, file)
      const [vetted] = vetWritten(`writeFile(${entity})`, [file], [outcome], fault)
      if (vetted?.result === 'failed') throw vetted.error
      return outcome
    },
    async uploadFile(entity, file) {
      if (!writer.uploadFile) throw fault(`${entity} are to be uploaded, and uploadFile() is missing`)
      const upload = await writer.uploadFile(entity, file)
      if (upload !== null && !isId(upload?.token)) throw fault(`uploadFile(${entity}) answered with no upload`)
      return upload
    },
    async find(entity, records) {
      const found = await writer.find(entity, records)
      const sought = new Set(records.map(({ key }) => key))
      for (const one of requireList(found, `find(${entity})`, fault)) {
        if (!sought.has(one?.key)) throw fault(`find(${entity}) found a record that was not sought`)
        if (!isId(one.destinationId)) throw fault(`find(${entity}) found a record without an id`)
        if (one.isUnreadable)
          throw fault(`find(${entity}) found a record with isUnreadable, which only the engine sets`)
        const { destinationId, url, version } = one
        const odd = Object.entries({ destinationId, url, version }).find(([, text]) => text && !isStorable(text))
        if (odd)
          throw fault(`find(${entity}) found a record whose ${odd[0]} is no text of at most ${longest} characters`)
      }
      return found.map((one) => (one.isHidden ? { ...one, isUnreadable: true as const } : one))
    },
    async lossesOf(entity, record, found) {
      const losses = (await writer.lossesOf?.(entity, record, found)) ?? []
      const isKnown = requireList(losses, `lossesOf(${entity})`, fault).every((loss) =>
        Object.hasOwn(writeLosses, loss),
      )
      if (!isKnown) throw fault(`lossesOf(${entity}) answered with losses that there are not`)
      return losses
    },
    async remove(entity, records, countOthers) {
      const outcomes = await writer.remove(entity, records, countOthers)
      const told = requireList(outcomes, `remove(${entity})`, fault).map((one) => one?.key)
      // Doubles of one record have one key.
      const isTold =
        told.toSorted().join('\n') ===
        records
          .map(({ key }) => key)
          .toSorted()
          .join('\n')
      if (!isTold) throw fault(`remove(${entity}) did not answer with one outcome for each record`)
      const isKnown = outcomes.every(({ result }) => ['removed', 'missing', 'kept'].includes(result))
      if (!isKnown) throw fault(`remove(${entity}) answered with an outcome that there is not`)
      const isSaid = (one: RemoveOutcome) => one.result !== 'kept' || isReason(one.message)
      if (!outcomes.every(isSaid))
        throw fault(`remove(${entity}) kept a record without a reason of at most ${longest} characters`)
      return outcomes.map((one) => (one.result === 'kept' ? { ...one, message: cleaned(one.message) } : one))
    },
    ...(writer.removeSides && {
      async removeSides(records, options) {
        const outcomes = (await writer.removeSides?.(records, options)) ?? []
        const told = requireList(outcomes, 'removeSides()', fault).map((one) => `${one?.kind}\n${one?.mark}`)
        // Any other answer would change rows of other records in the ledger.
        if (told.join('\n') !== records.map(({ kind, mark }) => `${kind}\n${mark}`).join('\n'))
          throw fault('removeSides() did not answer with one outcome for each record, in the same order')
        if (!outcomes.every(isSideOutcome)) throw fault('removeSides() answered with an outcome that there is not')
        return outcomes.map((one) => (one.result === 'kept' ? { ...one, message: cleaned(one.message) } : one))
      },
    }),
  }
}

type Fault = (what: string) => ConnectorFaultError

function requireList<T>(list: readonly T[], call: string, fault: Fault): readonly T[] {
  if (!Array.isArray(list)) throw fault(`${call} did not answer with a list`)
  return list
}

const isId = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** The tool's own words may hold anything, and a cut may leave half a character. The database takes neither. */
const cleaned = (words: string): string => words.toWellFormed().replaceAll('\0', '')
const isReason = (words: unknown): boolean => typeof words === 'string' && words.length <= longest
const withWords = (outcome: WriteOutcome): WriteOutcome =>
  outcome.result === 'refused'
    ? { ...outcome, code: cleaned(outcome.code), message: cleaned(outcome.message) }
    : outcome

const isSideOutcome = (outcome: SideOutcome): boolean =>
  outcome.result === 'removed' ||
  (outcome.result === 'kept' &&
    isReason(outcome.message) &&
    typeof outcome.destinationId === 'string' &&
    (outcome.destinationId === '' || isStorable(outcome.destinationId)) &&
    (!outcome.url || isStorable(outcome.url)))

function vetWritten(
  call: string,
  records: readonly OutgoingRecord[],
  outcomes: readonly WriteOutcome[],
  fault: Fault,
): WriteOutcome[] {
  const sent = new Map<string, OutgoingRecord>()
  for (const record of records) {
    sent.set(record.key, record)
    for (const part of partsOf(record)) sent.set(part.key, part)
  }
  const told = new Map<string, WriteOutcome>()
  for (const outcome of requireList(outcomes, call, fault)) {
    const key = outcome?.key
    const record = sent.get(key)
    if (!record) throw fault(`${call} answered for a record that was not sent`)
    if (told.has(key)) throw fault(`${call} answered twice for one record`)
    const wrong = wrongIn(outcome, record)
    if (wrong === null) told.set(key, withWords(outcome))
    else told.set(key, { key, result: 'failed', error: fault(`${call} answered ${wrong}`), isSent: true })
  }
  // Without an error the run would go on, and these records would never be sent.
  const isUntried = records.some(({ key }) => told.get(key)?.result === 'untried')
  if (isUntried && !told.values().some(({ result }) => result === 'failed'))
    throw fault(`${call} did not try all of its records and gave no error`)
  for (const record of records) {
    const { key } = record
    const error = told.has(key) ? null : fault(`${call} left a record without an outcome`)
    const outcome = told.get(key) ?? { key, result: 'failed', error, isSent: true }
    told.set(key, outcome)
    for (const part of partsOf(record)) told.set(part.key, vetPart(call, outcome, part, told.get(part.key), fault))
  }
  for (const outcome of told.values()) if (outcome.result === 'failed') addRole('destination', outcome.error)
  return [...told.values()]
}

/** Whether two records that were new are said to be one. */
function hasSharedId(records: readonly OutgoingRecord[], outcomes: readonly WriteOutcome[]): boolean {
  const fresh = new Set(records.filter(({ destinationId }) => destinationId === null).map(({ key }) => key))
  const ids = outcomes.flatMap((one) => (one.result === 'written' && fresh.has(one.key) ? [one.destinationId] : []))
  return new Set(ids).size < ids.length
}

const partsOf = ({ parts = [] }: OutgoingRecord): readonly OutgoingPart[] => parts

/** A part is where the record is that carries it: it goes the way of that one, and cannot arrive without it. */
function vetPart(
  call: string,
  carrier: WriteOutcome,
  { key }: OutgoingPart,
  outcome: WriteOutcome | undefined,
  fault: Fault,
): WriteOutcome {
  const inDoubt = (what: string): WriteOutcome => ({
    key,
    result: 'failed',
    error: fault(`${call} ${what}`),
    isSent: true,
  })
  if (carrier.result === 'written' || carrier.result === 'matched')
    return outcome ?? inDoubt('left a part of a record without an outcome')
  if (outcome?.result === 'written' || outcome?.result === 'matched')
    return inDoubt('wrote a part of a record that it did not write')
  return carrier.result === 'failed' ? { ...carrier, key } : { key, result: 'untried' }
}

/** The impossible part of a record's outcome; null if there is none. */
function wrongIn(outcome: WriteOutcome, { version, parts = [] }: OutgoingRecord): string | null {
  switch (outcome.result) {
    case 'written':
    case 'matched':
      if (!isId(outcome.destinationId)) return `${outcome.result} without an id`
      return wrongAround(outcome)
    case 'refused':
      if (!isId(outcome.code) || typeof outcome.message !== 'string') return 'refused without a reason'
      if (outcome.message.length > longest) return `refused with more than ${longest} characters`
      return isOfParts(outcome.refusedParts, parts) ? null : 'refused because of parts that it was not sent with'
    case 'changed':
    case 'missing':
      return version == null ? `${outcome.result} for a record that was sent without a version` : null
    case 'failed':
      return typeof outcome.isSent === 'boolean' ? null : 'failed without saying whether it was sent'
    case 'untried':
      return null
    default:
      return 'with an outcome that there is not'
  }
}

const longest = 10_000

const isOfParts = (keys: unknown, parts: readonly OutgoingPart[]): boolean =>
  keys === undefined || (Array.isArray(keys) && keys.every((key) => parts.some((part) => part.key === key)))

/** The same for what an outcome says about the record besides its id. */
function wrongAround(outcome: Extract<WriteOutcome, { result: 'written' | 'matched' }>): string | null {
  const { result, destinationId, url } = outcome
  const { version = null, losses = [] } = result === 'written' ? outcome : {}
  const isFine = (value: unknown) => value === null || value === '' || isStorable(value)
  const wrong = !isFine(destinationId)
    ? 'destinationId'
    : !isFine(url ?? null)
      ? 'url'
      : !isFine(version)
        ? 'version'
        : null
  if (wrong !== null) return `${result} with a ${wrong} that is no text of at most ${longest} characters`
  const isKnown = Array.isArray(losses) && losses.every((loss) => Object.hasOwn(writeLosses, loss))
  return isKnown ? null : `${result} with losses that there are not`
}
