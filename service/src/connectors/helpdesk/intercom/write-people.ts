import { setTimeout as sleep } from 'node:timers/promises'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { OutgoingRecord, SentRelation, WriteOutcome } from '../../contract/contract.ts'
import { eachById } from '../../kit/find.ts'
import { externalIdKey, upsertKey } from '../../kit/keys.ts'
import { type RawRecord, valueAt } from '../../kit/lens.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, RefusedError, written } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { accepted, type IntercomApi, label, largestPage, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { idOf, lacking, listOf, shownText, textOf } from './look-around.ts'
import type { Moves } from './moves.ts'
import { isTooLong, type OwnFields, storedCustom } from './own-fields.ts'
import { externalOf, isExternal } from './recall.ts'

export interface PeopleContext {
  api: IntercomApi
  fields: OwnFields
  workspace: string
  moves: Moves
}
type PeopleEntity = 'organizations' | 'contacts'

const paths = { organizations: '/companies', contacts: '/contacts' }
const entityOf = (name: PeopleEntity) => (name === 'contacts' ? desk.contacts : desk.organizations)

const byIds = (api: IntercomApi, path: string) =>
  eachById((id) => api.find(`${path}/${encodeURIComponent(id)}`), requestsAtOnce)
/** Deletes several records in parallel. */
const deleting = (api: IntercomApi, path: string) => (ids: readonly string[]) =>
  sideBySide(ids, requestsAtOnce, (id) => api.http.send('DELETE', `${path}/${encodeURIComponent(id)}`))

export function peopleEntities(
  context: PeopleContext,
  signal: AbortSignal | undefined,
): Record<PeopleEntity, WrittenEntity> {
  const { api } = context
  const strong = { backdate: false, silentCreate: true }
  const rules = { required: ['name'], customFields: 'any' as const }
  const entity = (name: PeopleEntity, findNeed: (raw: RawRecord) => Promise<string | null>): WrittenEntity => ({
    declared: entityOf(name),
    async look() {
      const present = byIds(api, paths[name])
      const unfinished = await context.moves.unfinished()
      return {
        byIds: present,
        // External ids are unique in Intercom. Sending a company again overwrites our company.
        key: (name === 'contacts' ? externalIdKey : upsertKey)(
          name === 'contacts' ? 'external_id' : 'company_id',
          async ([sought]) => (sought ? findByKey(context, name, sought.key) : []),
          1,
          externalOf,
        ),
        toFound: async (raw) => ({
          ...(await foundPerson(context, name, raw)),
          ...(unfinished.has(String(raw.id)) && companiesOf(raw).length === 0 && { isUnfinished: true as const }),
        }),
        findNeed,
        async removeAll(ids) {
          const answers = await deleting(api, paths[name])(ids)
          // Intercom deletes a company shortly after its answer, so we wait.
          for (let looks = 0; name === 'organizations' && looks < 20; looks += 1) {
            if ((await present(ids)).length === 0) break
            await sleep(500, undefined, { ...(signal && { signal }) })
          }
          return answers
        },
      }
    },
    asStored: (content) => ({
      ...asStored(entityOf(name), content),
      customFields: storedCustom(name, content.customFields),
    }),
    lossesOf: async (record) => (await toBody(context, name, record)).losses,
  })
  return {
    organizations: {
      ...entity('organizations', ({ id }) => needOfCompany(context, id)),
      offer: { ...rules, capabilities: { ...strong, deliveryClass: 'A' } },
      write: (records) => writeEach(records, (record) => writeCompany(context, record)),
    },
    contacts: {
      ...entity('contacts', ({ id }) => needOfContact(context, id)),
      // A second request links a contact to its company. After a lost answer the contact may lack its company: delivery
      // class C.
      offer: { ...rules, capabilities: strong },
      async write(records) {
        const existing = await findAddresses(context, records)
        return writeEach(records, (record) => writeContact(context, record, existing))
      },
    },
  }
}

/** The search may still return deleted conversations and tickets, so each one is requested by id. */
async function needOfContact({ api }: PeopleContext, id: unknown): Promise<string | null> {
  const query = { field: 'contact_ids', operator: '=', value: String(id) }
  for (const name of ['conversations', 'tickets']) {
    for (const one of await readAll(api.search(name, query, lacking), 20)) {
      const now = await api.find(`/${name}/${encodeURIComponent(String(one.id))}`)
      if (now) return 'Conversations of this account name them.'
    }
  }
  return null
}
async function needOfCompany({ api }: PeopleContext, id: unknown): Promise<string | null> {
  const { status, json } = await api.http.look(`/companies/${encodeURIComponent(String(id))}/contacts`, [404])
  const list = status === 404 ? [] : (json as { data?: unknown } | null)?.data
  return Array.isArray(list) && list.length > 0 ? 'Contacts of this account belong to it.' : null
}

async function findByKey({ api }: PeopleContext, name: PeopleEntity, key: string): Promise<RawRecord[]> {
  const id = encodeURIComponent(externalOf(key))
  if (name === 'contacts') {
    const found = await api.find(`/contacts/find_by_external_id/${id}`)
    return found ? [found] : []
  }
  const { status, json } = await api.http.look(`/companies?company_id=${id}`, [404])
  if (status === 404) return []
  // A request by `company_id` returns the company itself instead of a list.
  const list = (json as { data?: unknown }).data
  return Array.isArray(list) ? (list as RawRecord[]) : [api.one(json)]
}

const companiesOf = (raw: RawRecord) => listOf(valueAt(raw, 'companies.data')).flatMap(({ id }) => idOf(id) ?? [])

async function foundPerson({ api, fields, workspace }: PeopleContext, name: PeopleEntity, raw: RawRecord) {
  const companies = companiesOf(raw)
  const given =
    name === 'contacts'
      ? {
          ...raw,
          name: shownText(raw.name) ?? raw.name ?? null,
          email: shownText(raw.email),
          phone: textOf(raw.phone),
          company: companies[0] ?? null,
        }
      : { ...raw, name: shownText(raw.name) ?? raw.name, website: textOf(raw.website) }
  const content = toStored(label, entityOf(name), given)
  const customFields = await fields.stored(name, raw.custom_attributes)
  const place = name === 'contacts' ? 'users' : 'companies'
  // Values that people can change and that we never write.
  const others = [raw.industry, raw.size, raw.plan, raw.monthly_spend, raw.owner_id].map((one) => one ?? null)
  const added = [
    valueAt(raw, 'notes.total_count'),
    valueAt(raw, 'tags.total_count') ?? listOf(valueAt(raw, 'tags.tags')).length,
  ]
  if (added.some((count) => Number(count ?? 0) > 0)) others.push(added)
  if (companies.length > 1) others.push(companies.sort())
  const url = `${api.site}/a/apps/${workspace}/${place}/${raw.id}`
  return { ...content, customFields, version: versionOf(content.fields, customFields, others), url }
}

async function toBody({ fields }: PeopleContext, name: PeopleEntity, record: OutgoingRecord) {
  // A value that the source has lost since is cleared in the copy.
  const isChange = record.destinationId !== null
  const body = writeRecord(entityOf(name), record, { isWhole: isChange })
  const custom = await fields.toBody(name, record.customFields, isChange)
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
    throw new RefusedError('name_missing', 'Intercom takes no company without a name.')
  }
  const since = createdAt === null ? 0 : desk.toSeconds(createdAt)
  const made = { ...(since > 0 && { remote_created_at: since }), company_id: externalOf(key) }
  const sent =
    destinationId === null
      ? await api.http.send('POST', '/companies', { json: { ...body, ...made } })
      : await api.http.send('PUT', `/companies/${encodeURIComponent(destinationId)}`, { json: body })
  return settle(context, 'organizations', key, api.one(accepted(sent)), losses)
}

/** Finds existing contacts with these addresses. They stay unchanged; only contacts that we created are overwritten. */
async function findAddresses({ api }: PeopleContext, records: readonly OutgoingRecord[]): Promise<Map<string, string>> {
  const wanted = records
    .filter(({ destinationId }) => destinationId === null)
    .flatMap(({ fields }) => addressOf(fields.emails) ?? [])
  const found = new Map<string, string>()
  const own = new Set(records.map(({ key }) => externalOf(key)))
  for (let at = 0; at < wanted.length; at += 15) {
    const some = [...new Set(wanted.slice(at, at + 15))]
    const value = some.map((email) => ({ field: 'email', operator: '=', value: email }))
    for (const raw of await readAll(api.search('contacts', { operator: 'OR', value }), largestPage)) {
      const email = shownText(raw.email)?.toLowerCase()
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
  const match = (id: string) => matched(key, id, `${api.site}/a/apps/${workspace}/users/${id}`)
  const address = addressOf(fields.emails)
  const there = destinationId === null && address !== null ? existing.get(address) : undefined
  // The search may still show a contact that was removed a moment ago.
  if (there !== undefined && (await api.find(`/contacts/${encodeURIComponent(there)}`))) return match(there)
  const { body, losses } = await toBody(context, 'contacts', record)
  const { company, ...plain } = body as { company?: unknown }
  const send = (some: object, id = destinationId) =>
    id === null
      ? api.http.send('POST', '/contacts', { json: { role: 'user', external_id: externalOf(key), ...some } })
      : api.http.send('PUT', `/contacts/${encodeURIComponent(id)}`, { json: some })
  let sent = await send(plain)
  if (sent.result === 'refused' && sent.status === 409 && destinationId === null) {
    // 409: we created this contact and lost the answer, or another contact has the address and the search missed it.
    const [own] = await findByKey(context, 'contacts', key)
    if (own) sent = await send(plain, String(own.id))
    else {
      const [, id] = /\bid=(\w{1,40})/.exec(sent.message) ?? []
      const other = id === undefined ? null : await api.find(`/contacts/${id}`)
      if (other && address !== null && shownText(other.email)?.toLowerCase() === address) return match(String(other.id))
    }
  }
  // 409: an archived contact may have the address, and only people can restore it.
  const isOfAddress = sent.result === 'refused' && (sent.status === 409 || /e-?mail/i.test(sent.message))
  if (isOfAddress && 'email' in plain) {
    const { email: _email, ...rest } = plain as { email?: unknown }
    sent = await send(rest)
    losses.push('address_refused')
  }
  const raw = api.one(accepted(sent))
  const wanted = company === undefined ? undefined : ((fields.organization ?? null) as SentRelation | null)
  const isLinked = await setCompany(context, raw, wanted)
  if (!isLinked) losses.push('relation_refused')
  if (destinationId !== null) await context.moves.end(destinationId)
  const [now] = await byIds(api, '/contacts')([String(raw.id)])
  return settle(context, 'contacts', key, now ?? raw, losses)
}

/** Links a contact to one of our companies at most. Links to other companies stay. `undefined` changes nothing. */
async function setCompany(
  { api, moves }: PeopleContext,
  raw: RawRecord,
  wanted: SentRelation | null | undefined,
): Promise<boolean> {
  if (wanted === undefined) return true
  const path = `/contacts/${encodeURIComponent(String(raw.id))}/companies`
  const now = listOf((raw.companies as { data?: unknown } | null | undefined)?.data).map(({ id }) => String(id))
  const id = wanted?.destinationId ?? null
  if (id !== null && now.length > 0 && !now.includes(id)) await moves.begin(String(raw.id))
  for (const other of now.filter((one) => one !== id)) {
    const company = await api.find(`${paths.organizations}/${encodeURIComponent(other)}`)
    if (isExternal(company?.company_id)) await api.http.send('DELETE', `${path}/${encodeURIComponent(other)}`)
  }
  if (id === null || now.includes(id)) return true
  return (await api.http.send('POST', path, { json: { id } })).result === 'done'
}

const settle = async (
  context: PeopleContext,
  name: PeopleEntity,
  key: string,
  raw: RawRecord,
  losses: readonly WriteLoss[],
) => written(key, raw.id, await foundPerson(context, name, raw), losses)
