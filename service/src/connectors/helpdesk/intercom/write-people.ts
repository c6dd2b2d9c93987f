import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SentRelation, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { externalIdKey, type Key } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refused } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { toStored, writeRecord } from '../../kit/write-record.ts'
import { type IntercomApi, label, largestPage, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { idOf, listOf, textOf } from './look-around.ts'
import { FieldRefusedError, fieldRefusal, isTooLong, type OwnFields } from './own-fields.ts'
import { externalOf } from './recall.ts'

export interface PeopleContext {
  api: IntercomApi
  fields: OwnFields
  workspace: string
}
export type PeopleEntity = 'organizations' | 'contacts'

const paths = { organizations: '/companies', contacts: '/contacts' }
export const refusalOf = (key: string, { status, code, message }: Extract<Sent, { result: 'refused' }>) =>
  status === 404 || status === 410
    ? refused(key, 'gone', 'It was deleted in Intercom since it was imported.')
    : refused(key, code, message)

export const byIds =
  (api: IntercomApi, path: string) =>
  async (ids: readonly string[]): Promise<RawRecord[]> =>
    (await sideBySide(ids, requestsAtOnce, (id) => api.find(`${path}/${encodeURIComponent(id)}`))).flatMap(
      (raw) => raw ?? [],
    )
export const peopleByIds = ({ api }: PeopleContext, name: PeopleEntity) => byIds(api, paths[name])

async function findByKey({ api }: PeopleContext, name: PeopleEntity, key: string): Promise<RawRecord[]> {
  const id = encodeURIComponent(externalOf(key))
  if (name === 'contacts') {
    const found = await api.find(`/contacts/find_by_external_id/${id}`)
    return found ? [found] : []
  }
  const { status, json } = await api.http.look(`/companies?company_id=${id}`, [404])
  if (status === 404) return []
  // Asked for by its id, a company stands alone in the answer.
  const list = (json as { data?: unknown }).data
  return Array.isArray(list) ? (list as RawRecord[]) : [api.one(json)]
}

/** Intercom keeps these ids apart from others: nobody has two of one id, and a company of ours is written over. */
export const peopleKey = (context: PeopleContext, name: PeopleEntity): Key =>
  externalIdKey(
    name === 'contacts' ? 'external_id' : 'company_id',
    async ([sought]: readonly SoughtRecord[]) => (sought ? findByKey(context, name, sought.key) : []),
    1,
    externalOf,
  )

export async function foundPerson({ api, fields, workspace }: PeopleContext, name: PeopleEntity, raw: RawRecord) {
  const company = idOf(listOf((raw.companies as { data?: unknown } | null | undefined)?.data)[0]?.id)
  const given =
    name === 'contacts'
      ? { ...raw, name: raw.name ?? null, email: textOf(raw.email), phone: textOf(raw.phone), company }
      : { ...raw, website: textOf(raw.website) }
  const content = toStored(label, name === 'contacts' ? desk.contacts : desk.organizations, given)
  const customFields = await fields.stored(name, raw.custom_attributes)
  const place = name === 'contacts' ? 'users' : 'companies'
  // Values that people can change, and we do not write.
  const others = [raw.industry, raw.size, raw.plan, raw.monthly_spend, raw.owner_id].map((one) => one ?? null)
  const url = `${api.site}/a/apps/${workspace}/${place}/${raw.id}`
  return { ...content, customFields, version: versionOf(content.fields, customFields, others), url }
}

export async function writePeople(context: PeopleContext, name: PeopleEntity, records: readonly OutgoingRecord[]) {
  const existing = name === 'contacts' ? await findAddresses(context, records) : new Map<string, string>()
  return writeEach(records, async (record): Promise<WriteOutcome> => {
    try {
      return name === 'contacts' ? await writeContact(context, record, existing) : await writeCompany(context, record)
    } catch (error) {
      if (error instanceof FieldRefusedError) return fieldRefusal(record.key, error)
      throw error
    }
  })
}

async function toBody({ fields }: PeopleContext, name: PeopleEntity, record: OutgoingRecord) {
  const body = writeRecord(name === 'contacts' ? desk.contacts : desk.organizations, record)
  const custom = await fields.toBody(name, record.customFields)
  const losses: WriteLoss[] = Object.values(record.customFields).some((one) => isTooLong(name, one))
    ? ['custom_value_refused']
    : []
  const whole: Record<string, unknown> = { ...body }
  if (Object.keys(custom).length > 0) whole.custom_attributes = custom
  return { body: whole, losses }
}

async function writeCompany(context: PeopleContext, record: OutgoingRecord): Promise<WriteOutcome> {
  const { api } = context
  const { key, destinationId, createdAt } = record
  const { body, losses } = await toBody(context, 'organizations', record)
  if (typeof body.name !== 'string' || body.name.trim() === '') {
    return refused(key, 'name_missing', 'Intercom takes no company without a name.')
  }
  const made = { ...(createdAt && { remote_created_at: desk.toSeconds(createdAt) }), company_id: externalOf(key) }
  const sent =
    destinationId === null
      ? await api.http.send('POST', '/companies', { json: { ...body, ...made } })
      : await api.http.send('PUT', `/companies/${encodeURIComponent(destinationId)}`, { json: body })
  return settle(context, 'organizations', key, sent, losses)
}

/** People of these addresses who were there before stay as they are. Only what we made ourselves is written over. */
async function findAddresses({ api }: PeopleContext, records: readonly OutgoingRecord[]): Promise<Map<string, string>> {
  const wanted = records
    .filter(({ destinationId }) => destinationId === null)
    .flatMap(({ fields }) => addressOf(fields.emails) ?? [])
  const found = new Map<string, string>()
  const own = new Set(records.map(({ key }) => externalOf(key)))
  for (let at = 0; at < wanted.length; at += 15) {
    const value = [...new Set(wanted.slice(at, at + 15))].map((email) => ({
      field: 'email',
      operator: '=',
      value: email,
    }))
    for (const raw of await readAll(api.search('contacts', { operator: 'OR', value }), largestPage)) {
      const email = textOf(raw.email)?.toLowerCase()
      const isBetter = raw.role === 'user' || !found.has(email ?? '')
      if (email && isBetter && !own.has(String(raw.external_id))) found.set(email, String(raw.id))
    }
  }
  return found
}
function addressOf(emails: unknown): string | null {
  const [first] = [emails].flat()
  const address = typeof first === 'object' && first !== null ? (first as { address?: unknown }).address : first
  return textOf(address)?.toLowerCase() ?? null
}

async function writeContact(
  context: PeopleContext,
  record: OutgoingRecord,
  existing: ReadonlyMap<string, string>,
): Promise<WriteOutcome> {
  const { api, workspace } = context
  const { key, destinationId, fields } = record
  const matched = (id: string): WriteOutcome => ({
    ...{ key, result: 'matched', destinationId: id },
    url: `${api.site}/a/apps/${workspace}/users/${id}`,
  })
  const address = addressOf(fields.emails)
  const there = destinationId === null && address !== null ? existing.get(address) : undefined
  if (there !== undefined) return matched(there)
  const { body, losses } = await toBody(context, 'contacts', record)
  const { company, ...plain } = body as { company?: unknown }
  const change = (id: string) => api.http.send('PUT', `/contacts/${encodeURIComponent(id)}`, { json: plain })
  const create = (less: object) =>
    api.http.send('POST', '/contacts', { json: { role: 'user', external_id: externalOf(key), ...plain, ...less } })
  let sent = destinationId === null ? await create({}) : await change(destinationId)
  if (sent.result === 'refused' && sent.status === 409 && destinationId === null) {
    // Ours of an attempt whose answer was lost, or somebody with this address whom the search did not know yet.
    const [own] = await findByKey(context, 'contacts', key)
    if (own) sent = await change(String(own.id))
    else {
      const [, id] = /\bid=(\w{1,40})/.exec(sent.message) ?? []
      const other = id === undefined ? null : await api.find(`/contacts/${id}`)
      if (other && address !== null && textOf(other.email)?.toLowerCase() === address) return matched(String(other.id))
    }
  }
  if (sent.result === 'refused' && address !== null && /e-?mail/i.test(sent.message)) {
    const { email: _email, ...rest } = plain as { email?: unknown }
    const again = { role: 'user', external_id: externalOf(key), ...rest }
    sent =
      destinationId === null
        ? await api.http.send('POST', '/contacts', { json: again })
        : await api.http.send('PUT', `/contacts/${destinationId}`, { json: rest })
    losses.push('address_refused')
  }
  if (sent.result === 'refused') return refusalOf(key, sent)
  const raw = api.one(sent.json)
  const isLinked = await setCompany(
    api,
    raw,
    company === undefined ? undefined : ((fields.organization ?? null) as SentRelation | null),
  )
  if (!isLinked) losses.push('relation_refused')
  const [now] = await peopleByIds(context, 'contacts')([String(raw.id)])
  return settle(context, 'contacts', key, { ...sent, json: now ?? raw }, losses)
}

/** A person belongs to the one company that was written. Undefined leaves it. */
async function setCompany(api: IntercomApi, raw: RawRecord, wanted: SentRelation | null | undefined): Promise<boolean> {
  if (wanted === undefined) return true
  const path = `/contacts/${encodeURIComponent(String(raw.id))}/companies`
  const now = listOf((raw.companies as { data?: unknown } | null | undefined)?.data).map(({ id }) => String(id))
  const id = wanted?.destinationId ?? null
  for (const other of now.filter((one) => one !== id)) {
    await api.http.send('DELETE', `${path}/${encodeURIComponent(other)}`)
  }
  if (id === null || now.includes(id)) return true
  return (await api.http.send('POST', path, { json: { id } })).result === 'done'
}

async function settle(
  context: PeopleContext,
  name: PeopleEntity,
  key: string,
  sent: Sent,
  losses: readonly WriteLoss[],
): Promise<WriteOutcome> {
  if (sent.result === 'refused') return refusalOf(key, sent)
  const raw = context.api.one(sent.json)
  const { url, version } = await foundPerson(context, name, raw)
  return { key, result: 'written', destinationId: String(raw.id), url, version, ...(losses.length > 0 && { losses }) }
}
