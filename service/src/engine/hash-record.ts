import { createHash, hash as digest, type Hash } from 'node:crypto'
import type { OutgoingContent, StoredContent } from '../connectors/contract/contract.ts'
import { keepsTimes } from '../connectors/entity-capabilities.ts'
import { createGiveWay } from '../give-way.ts'
import { isLight, slicesOf, stringPieces } from '../json-pieces.ts'
import type { WriteLoss } from '../warnings/codes.ts'
import type { OpenedImport } from './run-context.ts'

/**
 * Hash as hex. Equal contents have equal hashes in any order of properties. Empty fields count as missing, since
 * destinations leave out empty values.
 */
export function hashRecord(content: StoredContent): string {
  return withTimes(fieldsHash(content), content.createdAt, content.updatedAt)
}

/** The same without times, which a destination may change by itself. */
export const hashContent = (content: StoredContent): string => withTimes(fieldsHash(content), null, null)

/** The same, without keeping the event loop from others while it reads long texts. */
export function hashInTurns(content: StoredContent): string | Promise<string> {
  return isShort(content) ? hashRecord(content) : readAhead([content]).then(() => hashRecord(content))
}

const isShort = ({ fields, customFields }: StoredContent) => isLight(fields) && isLight(customFields)

/** The hash of a record's fields before its times are added, since several times may be tried. */
const begun = new WeakMap<StoredContent, Hash>()

/** Reads long records so that hashing and comparing them takes no time afterwards. */
export async function readAhead(contents: readonly StoredContent[]): Promise<void> {
  const giveWay = createGiveWay()
  for (const content of contents) {
    const turn = giveWay()
    if (turn) await turn
    if (isShort(content)) continue
    const hash = createHash('sha256')
    for (const [start, part] of [
      ['[', content.fields],
      [',', content.customFields],
    ] as const) {
      hash.update(start)
      for (const piece of canonicalPieces(part)) {
        hash.update(piece)
        await giveWay()
      }
    }
    begun.set(content, hash)
  }
}

/** Characters of a read-back text that are kept: more than any screen shows. */
const keptCharacters = 128 * 1024
/** On a record whose long texts were dropped: the hashes of the whole record and of each of these texts. */
const droppedTexts = Symbol('texts that are gone')
/** On a record that its parent may have carried: the same hashes without the relation to the parent. */
const hashWithoutParent = Symbol('without its parent')
type Compared = StoredContent & {
  [droppedTexts]?: { hash: Hash; texts: Record<string, string> }
  [hashWithoutParent]?: Hash | string
}

/**
 * Reads records ahead and keeps only the beginning of long texts, because many records are compared at once. `parent`
 * is the relation to the record that may have carried them.
 */
export async function readAndCut(contents: readonly Compared[], parent: string | null = null): Promise<void> {
  await readAhead(contents)
  for (const content of parent === null ? [] : contents) {
    const bare = withoutField(content, String(parent))
    await readAhead([bare])
    content[hashWithoutParent] = fieldsHash(bare)
  }
  const giveWay = createGiveWay()
  for (const content of contents) {
    const hash = begun.get(content)
    if (!hash) continue
    const texts: Record<string, string> = {}
    for (const [prefix, part] of [
      ['', content.fields],
      [customPrefix, content.customFields],
    ] as const) {
      for (const [name, value] of Object.entries(part)) {
        if (typeof value !== 'string' || value.length <= keptCharacters) continue
        const print = createHash('sha256')
        for (const slice of slicesOf(value)) {
          print.update(slice)
          await giveWay()
        }
        texts[`${prefix}${name}`] = print.digest('hex')
        // A copy: a slice would keep the whole text.
        part[name] = Buffer.from(value.slice(0, keptCharacters), 'utf16le').toString('utf16le')
      }
    }
    content[droppedTexts] = { hash, texts }
  }
}

const withoutField = (content: StoredContent, name: string): StoredContent => ({
  ...content,
  fields: Object.fromEntries(Object.entries(content.fields).filter(([field]) => field !== name)),
})

/** The hash so far, or the text to hash first. */
function fieldsHash(content: Compared): Hash | string {
  const { fields, customFields } = content
  return content[droppedTexts]?.hash ?? begun.get(content) ?? `[${canonical(fields)},${canonical(customFields)}`
}

function withTimes(start: Hash | string, createdAt: string | null, updatedAt: string | null): string {
  const end = `,${momentOf(createdAt)},${momentOf(updatedAt)}]`
  return typeof start === 'string' ? digest('sha256', start + end) : start.copy().update(end).digest('hex')
}

/** The moment as a number, from any written form. */
function momentOf(moment: string | null): number | null {
  const ms = moment === null ? Number.NaN : Date.parse(moment)
  return Number.isNaN(ms) ? null : ms
}

/** Loops instead of JSON.stringify and of Array's own functions: every record passes here. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  let text = ''
  if (Array.isArray(value)) {
    for (const entry of value) text += text === '' ? canonical(entry) : `,${canonical(entry)}`
    return `[${text}]`
  }
  const entries = value as Record<string, unknown>
  for (const name of sorted(Object.keys(entries))) {
    const entry = entries[name]
    if (!isEmpty(entry)) text += `${text === '' ? '' : ','}${quoted(name)}:${canonical(entry)}`
  }
  return `{${text}}`
}

/** Records have few fields, often in order. For these the engine's own sort takes three times as long. */
function sorted(names: string[]): string[] {
  if (names.length > 32) return names.sort()
  for (let index = 1; index < names.length; index++) {
    const name = names[index] as string
    let at = index - 1
    for (; at >= 0 && (names[at] as string) > name; at--) names[at + 1] = names[at] as string
    names[at + 1] = name
  }
  return names
}

/** Names of fields as JSON writes them: a run meets the same few in every record. */
const quotedNames = new Map<string, string>()
const mostQuoted = 2_000

function quoted(name: string): string {
  const known = quotedNames.get(name)
  if (known !== undefined) return known
  const text = JSON.stringify(name)
  // Custom fields may have any name, and any number of them.
  if (quotedNames.size < mostQuoted) quotedNames.set(name, text)
  return text
}

/** The same in pieces, for long values. */
function* canonicalPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* stringPieces(value)
  else if (typeof value !== 'object' || value === null || isLight(value)) yield canonical(value)
  else {
    const isList = Array.isArray(value)
    const entries: [string, unknown][] = isList ? value.map((entry) => ['', entry]) : filledOf(value)
    yield isList ? '[' : '{'
    for (const [index, [name, entry]] of entries.entries()) {
      yield `${index === 0 ? '' : ','}${isList ? '' : `${JSON.stringify(name)}:`}`
      yield* canonicalPieces(entry)
    }
    yield isList ? ']' : '}'
  }
}

function filledOf(value: object): [string, unknown][] {
  const entries = value as Record<string, unknown>
  const filled: [string, unknown][] = []
  for (const name of sorted(Object.keys(entries))) if (!isEmpty(entries[name])) filled.push([name, entries[name]])
  return filled
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

/**
 * Predicts the content that will be read back of a record. Times count only where the destination keeps them; some keep
 * them only for records that travel inside another.
 */
export function storedContent(
  { writer, mapping }: Pick<OpenedImport, 'writer' | 'mapping'>,
  entity: string,
  { fields, customFields, createdAt, updatedAt }: OutgoingContent,
  comesInside: boolean,
): StoredContent | Promise<StoredContent> {
  const isTimed = keepsTimes(mapping.destination, entity, comesInside)
  return writer.asStored(entity, {
    fields,
    customFields,
    createdAt: isTimed ? createdAt : null,
    updatedAt: isTimed ? updatedAt : null,
  })
}

/** The losses of a record that was found as it was sent, although the answer to its sending was lost. */
export async function lossesFound(
  parts: Pick<OpenedImport, 'writer' | 'mapping'>,
  entity: string,
  outgoing: OutgoingContent,
  { losses: shown = [] }: StoredContent,
): Promise<WriteLoss[]> {
  const { losses: certain = [] } = await storedContent(parts, entity, outgoing, false)
  return [...new Set([...shown, ...certain])]
}

/** At once for a short record of most connectors: every record passes here. */
export function hashOutgoing(
  parts: Pick<OpenedImport, 'writer' | 'mapping'>,
  entity: string,
  outgoing: OutgoingContent,
  comesInside: boolean,
): string | Promise<string> {
  const stored = storedContent(parts, entity, outgoing, comesInside)
  return stored instanceof Promise ? stored.then(hashInTurns) : hashInTurns(stored)
}

/**
 * Whether a record that was read back equals the sent one. A time that was not sent may have any value, and the hash
 * does not tell whether a time was sent.
 */
export function isAsSent(hash: string | null, found: Compared): boolean {
  if (hash === null) return false
  const { createdAt, updatedAt, [hashWithoutParent]: bare } = found
  return [fieldsHash(found), ...(bare === undefined ? [] : [bare])].some((fields) =>
    [createdAt, null].some((created) =>
      [updatedAt, null].some((updated) => withTimes(fields, created, updated) === hash),
    ),
  )
}

const customPrefix = 'custom:'

/** The names of fields that differ. */
export function listDifferences(expected: StoredContent, found: Compared): string[] {
  const flat = ({ fields, customFields, createdAt, updatedAt }: StoredContent): Record<string, unknown> => ({
    ...fields,
    ...Object.fromEntries(Object.entries(customFields).map(([key, value]) => [`${customPrefix}${key}`, value])),
    created_at: momentOf(createdAt),
    updated_at: momentOf(updatedAt),
  })
  const [one, other] = [flat(expected), flat(found)]
  for (const time of ['created_at', 'updated_at']) if (one[time] === null) delete other[time]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const texts = found[droppedTexts]?.texts ?? {}
  const isSame = (name: string) => {
    const text = texts[name]
    if (text === undefined) return isEqual(one[name], other[name])
    return typeof one[name] === 'string' && digest('sha256', one[name]) === text
  }
  return [...names].filter((name) => !isSame(name)).sort()
}

function isEqual(one: unknown, other: unknown): boolean {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other)
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return canonical(one) === canonical(other)
}
