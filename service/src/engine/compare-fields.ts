import type { OutgoingContent, StoredContent } from '../connectors/contract/contract.ts'
import type { MappingChanges } from '../db/mapping-changes.ts'
import type { FamilyRecord } from '../families/record.ts'
import { combinedInto } from '../mapping/find-target.ts'
import { isAboutField, type WarningCode } from '../warnings/codes.ts'
import { isEmpty, listDifferences } from './hash-record.ts'
import type { PreparedSending } from './prepare-records.ts'

/** `added`: the source has no value, the destination does. */
export type FieldVerdict = 'same' | 'changed' | 'lost' | 'added'

/** Why a field is not the same on both sides: a code of a warning, or one of these. */
export type FieldReason =
  | WarningCode
  | 'left_out'
  | 'not_offered'
  | 'not_there'
  | 'chosen'
  | 'closest'
  | 'edited'
  | 'changed_there'
  | 'times_not_kept'
  | 'constant'
  | 'filled_there'

export interface ComparedField {
  /** The name as in a mapping: of the source, or of the destination for an added value. */
  name: string
  /** The label of a custom field. */
  label: string | null
  /** The field of the destination; null for none. */
  to: string | null
  verdict: FieldVerdict
  reasons: FieldReason[]
  source: unknown
  /** The value in the destination; before the migration, the value that would be sent. */
  stored: unknown
  /** The value that was sent, if the destination has exactly that. */
  sent: unknown
}

export type RecordVerdict = 'same' | 'as_chosen' | 'differs' | 'missing'

export interface ComparedSides {
  source: FamilyRecord
  changes: MappingChanges
  /** Names of fields of the destination that are choices. */
  optionFields: ReadonlySet<string>
  parent: string | undefined
  /** The whole record as it would be sent; null when it waits. */
  whole: PreparedSending | null
  /** Each field of the source mapped alone, together with the relation to the parent. */
  single: ReadonlyMap<string, PreparedSending | null>
  /** A record without any field but that. */
  bare: PreparedSending | null
  expected: StoredContent | null
  /** Null when the destination does not have the record. */
  stored: StoredContent | null
  /** Whether the record is not written yet. Then the source is compared with the content that would be sent. */
  isPreview: boolean
  /** Somebody changed it after it was written. */
  isEdited: boolean
  /** Warnings of the record in the ledger. */
  warned: readonly WarningCode[]
}

/** A difference that the customer chose needs no warning. */
const ownChoices: readonly FieldReason[] = ['left_out', 'chosen', 'constant', 'user_kept_as_name']
/** The text is as it was; where its links lead is told with the record. */
const aboutLinks = /^link_/
/** Which fields a loss can be about that the destination told when it took the record. */
const lossFields: readonly [loss: WarningCode, field: RegExp][] = [
  ['lost:address_refused', /^emails?$/],
  ['lost:assignee_refused', /^(assignee|owner)$/],
  ['lost:author_not_kept', /^author/],
  ['lost:author_replaced', /^authors?$/],
  ['lost:comment_simplified', /^body$/],
  ['lost:custom_value_refused', /^custom:/],
  ['lost:domain_refused', /^domains$/],
  ['lost:due_kept_as_draft', /^status$/],
  ['lost:milestone_refused', /^milestone$/],
  ['lost:moment_not_kept', /_(at|on)$/],
  ['lost:parent_refused', /^parent_/],
  ['lost:person_chosen', /^(owner|author)$/],
  ['lost:person_replaced', /^(owner|author)$/],
  ['lost:phone_refused', /^phones?$/],
  ['lost:private_kept_as_draft', /^(status|visibility)$/],
  ['lost:probability_adjusted', /^probability$/],
  ['lost:relation_refused', /^(blocks|precedes|relates_to|duplicates|copied_to|depends_on|linked_tickets)$/],
  ['lost:stage_chosen', /^(pipeline|stage)$/],
  ['lost:status_refused', /^status$/],
  ['lost:text_shortened', /^(body|description)$/],
  ['lost:watcher_refused', /^(watchers|followers)$/],
]

/** Compares every field of both sides. Fields that differ come first. Pure. */
export function compareFields(sides: ComparedSides): ComparedField[] {
  const { source, expected, isPreview } = sides
  const stored = isPreview ? expected : sides.stored
  if (!stored) return valuesOf(source).map(absent)
  const there = flatten(stored)
  const differing = new Set(!isPreview && expected ? listDifferences(expected, stored) : [])
  const sent = sides.whole ? flattenSent(sides.whole.outgoing) : new Map<string, unknown>()
  const fields = valuesOf(source).map(({ name, label, value }): ComparedField => {
    const to = targetOf(name, sides)
    const reasons = reasonsOf(name, value, to, sides)
    if (to !== null && differing.has(to)) reasons.push(changeOf(name, value, to, sides))
    // A destination may show "no" as nothing.
    const isNo = to !== null && !differing.has(to) && sent.get(to) === false
    const shown = to === null ? null : isNo ? false : (there.get(to) ?? null)
    const verdict = reasons.length === 0 ? 'same' : isEmpty(shown) ? 'lost' : 'changed'
    const asSent = to !== null && !differing.has(to) ? (sent.get(to) ?? null) : null
    return { name, label, to, verdict, reasons: [...new Set(reasons)], source: value, stored: shown, sent: asSent }
  })
  const times = compareTimes(sides, stored)
  const known = new Set(fields.flatMap(({ to }) => to ?? []))
  const added = [...there].filter(([name, value]) => !known.has(name) && !isEmpty(value) && !isTime(name))
  const rest = added.map(([name, value]): ComparedField => {
    const asSent = differing.has(name) ? null : (sent.get(name) ?? null)
    return { ...emptyField, name, to: name, reasons: [addedBy(name, sides)], stored: value, sent: asSent }
  })
  return [...fields, ...times, ...rest].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
}

const absent = ({ name, label, value }: ReturnType<typeof valuesOf>[number]): ComparedField => ({
  ...{ name, label, to: null, verdict: 'lost', reasons: ['not_there'] },
  ...{ source: value, stored: null, sent: null },
})

const order: FieldVerdict[] = ['lost', 'changed', 'same', 'added']
const emptyField = { label: null, verdict: 'added', source: null } as const

export function judgeRecord(fields: readonly ComparedField[], isThere: boolean): RecordVerdict {
  if (!isThere) return 'missing'
  const different = fields.filter(({ verdict }) => verdict === 'lost' || verdict === 'changed')
  if (different.length === 0) return 'same'
  const isOwn = different.every(({ reasons }) => reasons.every((reason) => ownChoices.includes(reason)))
  return isOwn ? 'as_chosen' : 'differs'
}

/** The target of a field: the value that is filled only because of it, found by mapping the field alone. */
function targetOf(name: string, { single, bare, parent, whole }: ComparedSides): string | null {
  if (name === parent) return whole && !isEmpty(whole.outgoing.fields[name]) ? name : null
  const alone = single.get(name)
  if (!alone) return null
  const without = bare ? flattenSent(bare.outgoing) : new Map<string, unknown>()
  const filled = [...flattenSent(alone.outgoing)].filter(
    ([field, value]) => field !== parent && JSON.stringify(value) !== JSON.stringify(without.get(field)),
  )
  const to = filled.find(([field]) => field === name)?.[0] ?? filled[0]?.[0]
  // A value that the destination gets without the field as well, such as "not public" where nothing is said.
  return to ?? (flattenSent(alone.outgoing).has(name) ? name : null)
}

function reasonsOf(name: string, value: unknown, to: string | null, sides: ComparedSides): FieldReason[] {
  const { single, bare, changes, source, whole } = sides
  const change = changes.entities?.[source.entity]?.fields?.[name]
  const isCombined = combinedInto(changes, source.entity, name).length > 0
  if (change?.to === null && !isCombined) return ['left_out']
  const alone = name === sides.parent ? whole : single.get(name)
  if (!alone) return ['relation_lost']
  const codes = name === sides.parent ? [] : alone.warnings.filter((code) => !bare?.warnings.includes(code))
  if (to === null && codes.some(isAboutField)) return ['not_offered']
  const reasons: FieldReason[] = codes.filter((code) => !isAboutField(code) && !aboutLinks.test(code))
  const values = (Array.isArray(value) ? value : [value]).map(String)
  const isChosen = values.some((one) => {
    const chosen = Object.hasOwn(change?.values ?? {}, one) ? change?.values?.[one] : undefined
    return chosen !== undefined && chosen !== one
  })
  const sent = to === null ? null : flattenSent(alone.outgoing).get(to)
  const isStepped = Boolean(change?.steps?.length) && JSON.stringify(sent) !== JSON.stringify(value)
  if (isChosen || isCombined || isStepped) return ['chosen', ...reasons]
  const isOption = to !== null && sides.optionFields.has(to)
  const isRenamed = typeof value === 'string' && typeof sent === 'string' && plain(value) !== plain(sent)
  return isOption && isRenamed ? ['closest', ...reasons] : reasons
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, '')

const byPeople = ['user_not_matched', 'user_kept_as_name'] as const

/** The reason why the destination does not have the sent value. */
function changeOf(name: string, value: unknown, to: string, { warned, isEdited }: ComparedSides): FieldReason {
  // A person chosen or a record copied since then arrives with the next run.
  const told = isPerson(value) && byPeople.find((code) => warned.includes(code))
  if (told) return told
  if (isReference(value) && warned.includes('relation_lost')) return 'relation_lost'
  const lost = lossFields.find(([loss, field]) => warned.includes(loss) && (field.test(to) || field.test(name)))
  return lost?.[0] ?? (isEdited ? 'edited' : 'changed_there')
}

function addedBy(name: string, { changes, source, expected, whole }: ComparedSides): FieldReason {
  if (Object.hasOwn(changes.entities?.[source.entity]?.constants ?? {}, name)) return 'constant'
  const isOurs = expected !== null && !isEmpty(flatten(expected).get(name))
  return isOurs && whole?.warnings.includes('audience_narrowed') ? 'audience_narrowed' : 'filled_there'
}

const firstOf = (value: unknown) => (Array.isArray(value) ? value[0] : value)
const hasProperty = (value: unknown, name: string) => typeof value === 'object' && value !== null && name in value
const isPerson = (value: unknown) => hasProperty(firstOf(value), 'userId')
const isReference = (value: unknown) => hasProperty(firstOf(value), 'sourceId')

const isTime = (name: string) => name === 'created_at' || name === 'updated_at'

function compareTimes({ source, expected, isEdited }: ComparedSides, stored: StoredContent | null) {
  const pairs = [
    ['created_at', source.createdAt, expected?.createdAt, stored?.createdAt],
    ['updated_at', source.updatedAt, expected?.updatedAt, stored?.updatedAt],
  ] as const
  return pairs.flatMap(([name, value, sent, shown]): ComparedField[] => {
    if (value === undefined || stored === null) return []
    const isSame = shown != null && Date.parse(shown) === Date.parse(value)
    const reason: FieldReason = sent == null ? 'times_not_kept' : isEdited ? 'edited' : 'changed_there'
    const verdict = isSame ? 'same' : shown == null ? 'lost' : 'changed'
    const reasons = isSame ? [] : [reason]
    return [{ name, label: null, to: name, verdict, reasons, source: value, stored: shown ?? null, sent: null }]
  })
}

export function valuesOf({ fields, customFields = {} }: FamilyRecord) {
  const own = Object.entries(fields).map(([name, value]) => ({ name, label: null as string | null, value }))
  const custom = Object.entries(customFields).map(([key, { label, value }]) => ({
    name: `custom:${key}`,
    label,
    value,
  }))
  return [...own, ...custom].filter(({ value }) => !isEmpty(value))
}

function flatten({ fields, customFields }: StoredContent): Map<string, unknown> {
  const custom = Object.entries(customFields).map(([key, value]): [string, unknown] => [`custom:${key}`, value])
  return new Map([...Object.entries(fields), ...custom])
}

function flattenSent({ fields, customFields }: OutgoingContent): Map<string, unknown> {
  const custom = Object.entries(customFields).map(([key, { value }]): [string, unknown] => [`custom:${key}`, value])
  return new Map([...Object.entries(fields), ...custom])
}
