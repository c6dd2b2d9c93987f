import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  OutgoingContent,
  OutgoingRecord,
  SentRelation,
  SettledOutcome,
  SoughtRecord,
  StoredContent,
} from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refused, written } from '../../kit/outcomes.ts'
import { readAll, type Walk } from '../../kit/pages.ts'
import { sendWithout } from '../../kit/send-without.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { archived, type Kind, label, largestPage, type PipedriveApi, recordIn } from './api.ts'
import {
  createdName,
  evenCustom,
  filledName,
  findField,
  isShortened,
  keyName,
  placeCustom,
  toNative,
} from './custom-values.ts'
import { isClosed } from './entities.ts'
import { second } from './lenses.ts'
import { openFieldMaker } from './own-fields.ts'
import { pathOf } from './reader.ts'
import { kindOf, type Records } from './records.ts'

// Writes organizations, people and deals. Each has our key in a custom field.

/** Pipedrive takes amounts as numbers of JSON, which round longer ones. */
const longAmount = 'Pipedrive keeps 15 digits of an amount. This one has more.'
const isLong = (value: unknown): boolean =>
  String((value as { amount?: unknown } | null | undefined)?.amount ?? '')
    .replace(/\D/g, '')
    .replace(/^0+/, '').length > 15

export const gone = (key: string) => refused(key, 'gone', 'It was deleted in Pipedrive after it had been imported.')
/** How many pages of the newest records we read. Pipedrive's search may not list these yet. */
const newestPages = 4
const closeTime = 'close_time'
/** Stands with the owner whom Pipedrive refused. If our answer gets lost, it shows that nobody replaced the owner. */
const refusedOwner = 'owner='
const isCode = (filled: string) => filled !== closeTime && !filled.startsWith(refusedOwner)
const entityTypes: Record<Kind, string> = { organizations: 'organization', persons: 'person', deals: 'deal' }
const keyOf = (key: string) => digestOf(key)
const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Drops empty values, unless the record in Pipedrive has a value to remove. */
export const onlyNeeded = (body: Record<string, unknown>, now: RawRecord | null): Record<string, unknown> =>
  Object.fromEntries(Object.entries(body).filter(([name, value]) => !isEmpty(value) || (now && !isEmpty(now[name]))))

/**
 * Sends a record, without its owner if Pipedrive refuses that person, who may have been deactivated. The record then
 * belongs to the owner of the token.
 */
export const sendOwned = (body: Record<string, unknown>, send: (left: Record<string, unknown>) => Promise<Sent>) =>
  sendWithout(
    body,
    [[/\b(owner|user)(_id)?\b/i, ['owner_id', 'user_id'], 'person_replaced']],
    ({ message }, about) => about.test(message),
    send,
  )

/** Only a won or lost deal has a time of closing in Pipedrive. */
const losesClose = (entity: string, { fields }: OutgoingContent): boolean =>
  entity === 'deals' && !!fields.closed_at && !isClosed(fields.status)

/** Losses that follow from the content alone. Pipedrive has no record without an owner, and no deal without a stage. */
const foreseenLosses = (entity: string, record: OutgoingContent): WriteLoss[] =>
  thatHold(
    [losesClose(entity, record), 'moment_not_kept'],
    [entity === 'deals' && !record.fields.stage, 'stage_chosen'],
    [!record.fields.owner, 'person_chosen'],
    [isShortened(record), 'text_shortened'],
  )

export function openObjects(api: PipedriveApi, records: Records) {
  const makeFields = openFieldMaker(api)
  const codesOf = async (kind: Kind, name: string) =>
    (await api.fields(kind))
      .filter((one) => one.is_custom_field && one.field_name === name)
      .map((one) => one.field_code)
  const customOf = (raw: RawRecord) => (raw.custom_fields ?? {}) as Record<string, unknown>
  const filledIn = async (kind: Kind, raw: RawRecord) => {
    const codes = await codesOf(kind, filledName)
    return codes.flatMap((code) => String(customOf(raw)[code] ?? '').split(' ')).filter(Boolean)
  }
  const currencies = async () => (await api.currencies()).map(({ code }) => code)

  const byIds = async (entity: string, ids: readonly string[]): Promise<RawRecord[]> => {
    const found = await api.byIds(pathOf[entity] ?? '', ids)
    const missing = ids.filter((id) => !found.some((raw) => String(raw.id) === id))
    if (entity === 'deals' && missing.length > 0) found.push(...(await api.byIds(archived, missing)))
    const codes = await codesOf(kindOf[entity] as Kind, keyName)
    const shaped = await records.shape(entity, found)
    return shaped.map((raw) => ({ ...raw, participants: [], keys: codes.map((code) => customOf(raw)[code]) }))
  }

  return {
    byIds,
    async seek(entity: string, sought: readonly SoughtRecord[]): Promise<RawRecord[]> {
      const kind = kindOf[entity] as Kind
      const codes = (await codesOf(kind, keyName)).slice(0, 15)
      if (codes.length === 0) return []
      const keys = sought.map(({ key }) => keyOf(key))
      const isWanted = (raw: RawRecord) => codes.some((code) => keys.includes(String(customOf(raw)[code])))
      const ids = new Set<string>()
      let isWhole = false
      const walk: Walk<RawRecord> = api.list(pathOf[entity] ?? '', { custom_fields: codes }, 'desc')
      for (let cursor: string | null = null, pages = 0; pages < newestPages && ids.size < keys.length; pages += 1) {
        const page: Awaited<ReturnType<typeof walk>> = await walk(cursor, largestPage)
        for (const raw of page.items.filter(isWanted)) ids.add(String(raw.id))
        cursor = page.next
        isWhole = cursor === null
        if (isWhole) break
      }
      const found = await byIds(entity, [...ids])
      if (isWhole && entity !== 'deals') return found
      const left = keys.filter((key) => !found.some((raw) => (raw.keys as unknown[]).includes(key)))
      const more = new Set<string>()
      for (const term of left) {
        for (const field of codes) {
          const query = { term, entity_type: entityTypes[kind], field, match: 'exact' }
          const { json } = await api.http.ask('/api/v2/itemSearch/field', { ...query, limit: largestPage })
          for (const id of idsIn(json)) more.add(id)
        }
      }
      return [...found, ...(await byIds(entity, [...more]))]
    },
    isOn: (raw: RawRecord, key: string) => (raw.keys as unknown[]).includes(keyOf(key)),
    /** `foreseen` are the losses of the record before its empty fields were filled. */
    async write(entity: string, record: OutgoingRecord, foreseen: WriteLoss[]): Promise<SettledOutcome> {
      const { key, destinationId } = record
      if (isLong(record.fields.value)) return refused(key, 'amount_too_long', longAmount)
      const kind = kindOf[entity] as Kind
      const placed = placeCustom(await records.inWords(record), await api.fields(kind), await currencies())
      const left = await makeFields(kind, placed)
      const [now = null] = destinationId === null ? [] : await byIds(entity, [destinationId])
      if (destinationId !== null && now === null) return gone(key)
      const fields = await api.fields(kind)
      const body = writeRecord(await records.declaration(entity), record, { isWhole: true })
      if (body.close_time) body[`${record.fields.status}_time`] = body.close_time
      const custom: Record<string, unknown> = {}
      for (const code of now ? await filledIn(kind, now) : []) if (isCode(code)) custom[code] = null
      const filled: string[] = body.close_time ? [closeTime] : []
      for (const one of placed.filter(({ name }) => !left.has(name))) {
        const field = findField(fields, one.name, one.type)
        if (!field) continue
        custom[field.field_code] = toNative(one, field)
        filled.push(field.field_code)
      }
      const own = { [keyName]: keyOf(key), [filledName]: filled.join(' ') || null, [createdName]: record.createdAt }
      for (const [name, value] of Object.entries(own)) {
        const [code] = await codesOf(kind, name)
        if (code !== undefined && (value !== null || now)) custom[code] = value
      }
      // A creation time is sent only with a new record, and never with a deal.
      const madeAt = entity !== 'deals' && record.createdAt && now === null ? second(record.createdAt) : null
      const added = madeAt && { add_time: madeAt }
      const json: Record<string, unknown> = { ...onlyNeeded(body, now), ...added, custom_fields: custom }
      const path = pathOf[entity] ?? ''
      const [filledCode = ''] = await codesOf(kind, filledName)
      const { sent, losses: refusedParts } = await sendOwned(json, (some) => {
        const isReplaced = some.owner_id === undefined && json.owner_id !== undefined
        const noted = { ...custom, [filledCode]: [...filled, `${refusedOwner}${json.owner_id}`].join(' ') }
        const left = isReplaced ? { ...some, custom_fields: noted } : some
        return now
          ? api.http.send('PATCH', `${path}/${destinationId}`, { json: left })
          : api.http.send('POST', path, { json: left })
      })
      if (sent.result === 'refused') return refused(key, sent.code, sent.message)
      const [raw] = await records.shape(entity, [recordIn(sent.json)])
      const isTimeLost = madeAt !== null && Date.parse(String(raw?.add_time)) !== Date.parse(madeAt)
      const losses: WriteLoss[] = [
        ...refusedParts,
        ...thatHold(
          [left.size > 0, 'custom_value_refused'],
          [isTimeLost && !foreseen.includes('moment_not_kept'), 'moment_not_kept'],
        ),
        ...foreseen,
      ]
      return written(key, raw?.id, { url: String(raw?.url), version: null }, losses)
    },
    lossesOf: foreseenLosses,
    async asStored(entity: string, content: OutgoingContent): Promise<StoredContent> {
      const fields = await api.fields(kindOf[entity] as Kind)
      const placed = placeCustom(await records.inWords(content), fields, await currencies())
      return {
        ...asStored(await records.declaration(entity), content),
        customFields: Object.fromEntries(placed.map(({ name, type, value }) => [name, evenCustom(type, value)])),
      }
    },
    async toStored(entity: string, found: RawRecord): Promise<StoredContent & { losses?: WriteLoss[] }> {
      const kind = kindOf[entity] as Kind
      const fields = await api.fields(kind)
      const filled = await filledIn(kind, found)
      const owner = filled.find((code) => code.startsWith(refusedOwner))?.slice(refusedOwner.length)
      const isReplaced = owner !== undefined && found.owner_id === (await api.me()).id
      const raw = isReplaced ? { ...found, owner_id: Number(owner) } : found
      const stored = toStored(label, await records.declaration(entity), raw)
      // Pipedrive sets a deal's closing time by itself. It is compared only if we wrote it.
      if (entity === 'deals' && !filled.includes(closeTime)) stored.fields.closed_at = null
      const custom = filled.flatMap((code) => {
        const field = fields.find((one) => one.field_code === code)
        const value = customOf(raw)[code]
        return field ? [[field.field_name, evenCustom(field.field_type, value, field.options)]] : []
      })
      const losses: WriteLoss[] = ['person_replaced']
      return { ...stored, customFields: Object.fromEntries(custom), ...(isReplaced && { losses }) }
    },
  }
}

/** The search returns records, or wraps each record in another object. */
function idsIn(json: unknown): string[] {
  const data = (json as { data?: unknown } | null)?.data
  const items = Array.isArray(data) ? data : ((data as { items?: unknown[] } | null)?.items ?? [])
  return items.flatMap((one) => {
    const { id, item } = (one ?? {}) as { id?: unknown; item?: { id?: unknown } }
    const found = id ?? item?.id
    return Number.isSafeInteger(found) ? [String(found)] : []
  })
}

/**
 * Finds the stage for a deal. Without a stage it is the first one of the deal's pipeline; without a pipeline, of
 * the first pipeline.
 */
export function openStages(api: PipedriveApi) {
  const read = async (path: string) => readAll(api.list(path), largestPage)
  let known: Promise<[RawRecord[], RawRecord[]]> | null = null
  const byOrder = (a: RawRecord, b: RawRecord) => Number(a.order_nr) - Number(b.order_nr)
  return {
    forget() {
      known = null
    },
    async place({ pipeline, stage }: Record<string, unknown>): Promise<Record<string, SentRelation>> {
      known ??= Promise.all([read('/api/v2/pipelines'), read('/api/v2/stages')])
      const [pipelines, stages] = await known.catch((error: unknown) => {
        known = null
        throw error
      })
      const idOf = (one: unknown) => (one as SentRelation | null | undefined)?.destinationId
      const to = (entity: string, id: unknown) => ({ entity, key: '', destinationId: String(id) })
      const given = stages.find(({ id }) => String(id) === idOf(stage))
      if (given) return { pipeline: to('pipelines', given.pipeline_id), stage: to('stages', given.id) }
      const wanted = idOf(pipeline) ?? String(pipelines.toSorted(byOrder)[0]?.id)
      const [first] = stages.filter(({ pipeline_id }) => String(pipeline_id) === wanted).sort(byOrder)
      return { ...(first && { pipeline: to('pipelines', wanted), stage: to('stages', first.id) }) }
    },
  }
}
