import { RetryableError } from '../../../errors.ts'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type { FoundRecord, OutgoingRecord, SoughtRecord, WriteOutcome } from '../../contract/contract.ts'
import { toCustomField } from '../../kit/custom-fields.ts'
import { eachById, findRecords } from '../../kit/find.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf, noKey } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { once } from '../../kit/once.ts'
import type { WrittenEntity } from '../../kit/open-writer.ts'
import { matched, written } from '../../kit/outcomes.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { versionOf } from '../../kit/version.ts'
import { writeEach } from '../../kit/write-each.ts'
import { asStored, toStored, writeRecord } from '../../kit/write-record.ts'
import { done, isAbout, label, madeId, present, requestsAtOnce } from './api.ts'
import * as desk from './entities.ts'
import { organizationPath, organizationUrl, toOrganization } from './look-around.ts'
import { valuesNow, valuesOf, type WriteContext } from './write-people.ts'

export function organizationEntity(context: WriteContext): WrittenEntity {
  const { api, facts } = context
  const look = {
    byIds: eachById((id) => api.one(organizationPath(id)), requestsAtOnce),
    key: noKey,
    remove: (id: string) => api.send('DELETE', `/v2/organizations/${id}`, undefined, true),
    toFound: (raw: RawRecord) => foundOrganization(context, raw),
    findNeed: async ({ id }: RawRecord) => {
      const raw = await api.one(`/v2/organizations/${id}?includeCounts=true`)
      return Number(raw?.customerCount ?? 0) > 0 ? 'People of this account belong to it.' : null
    },
  }
  const isUnplaced = ({ destinationId }: SoughtRecord) => destinationId === null
  return {
    declared: desk.organizations,
    offer: {
      required: ['name'],
      customFields: [...facts.organizationProperties.values()].map(toCustomField),
      unites: { kind: 'organization', by: ['name'] },
      capabilities: { backdate: false, concurrency: 1, batchSize: 50 },
    },
    // The whole list is needed to find a name, so it is requested once for many records.
    write(records) {
      const all = once(() => organizationsNow(context))
      return writeEach(records, (record) => writeOrganization(context, record, all))
    },
    look: () => look,
    find: async (sought) => [
      ...(await findRecords(look, sought)),
      ...(await findOrganizations(context, sought.filter(isUnplaced))),
    ],
    asStored: (content) => ({
      ...asStored(desk.organizations, content),
      customFields: Object.fromEntries(valuesOf(facts.organizationProperties.values(), content.customFields)),
    }),
  }
}

const organizationDigest = (name: unknown) => digestOf(String(name).trim().toLowerCase(), 16)
const organizationsNow = ({ api }: WriteContext) => api.all('/v2/organizations', 'organizations', { sort: 'name,asc' })

function foundOrganization({ facts }: WriteContext, raw: RawRecord) {
  const { entry_properties, ...whole } = toOrganization({ domains: [], description: null, note: null, ...raw }, facts)
  const content = toStored(label, desk.organizations, whole)
  const customFields = valuesNow(facts.organizationProperties, entry_properties)
  const values = Object.keys(customFields).length > 0 ? [customFields] : []
  return { ...content, customFields, version: versionOf(content.fields, ...values), url: organizationUrl(raw.id) }
}

async function findOrganizations(context: WriteContext, sought: readonly SoughtRecord[]): Promise<FoundRecord[]> {
  const keys = sought.map(({ key }) => key)
  const noted = await context.inFlight.noted('new_organizations', keys)
  const all = noted.size === 0 ? [] : await organizationsNow(context)
  const found = await sideBySide([...noted], requestsAtOnce, async ([key, { digest }]) => {
    const same = all.find(({ name }) => organizationDigest(name) === digest)
    const raw = same ? await context.api.one(organizationPath(same.id)) : null
    return raw ? [{ ...foundOrganization(context, raw), key, destinationId: String(raw.id) }] : []
  })
  return found.flat()
}

/** Writes the properties of an organization. A property that the source has lost since is cleared. */
async function saveProperties(
  { api, facts }: WriteContext,
  id: string,
  { customFields }: OutgoingRecord,
  raw: RawRecord,
): Promise<WriteLoss[]> {
  const values = valuesOf(facts.organizationProperties.values(), customFields)
  const now = valuesNow(facts.organizationProperties, toOrganization(raw, facts).entry_properties)
  const losses: WriteLoss[] = []
  for (const [slug, { key: name }] of facts.organizationProperties) {
    const [value, kept] = [values.get(name), now[name]]
    if (value === kept) continue
    const path = `/v2/organizations/${id}/properties/${encodeURIComponent(slug)}`
    const sent = value === undefined ? await api.send('DELETE', path) : await api.send('PUT', path, { value })
    if (sent.result === 'refused') losses.push('custom_value_refused')
  }
  return losses
}

/** A change sends all these fields, because Help Scout empties omitted ones. It describes no null. */
const kept = ['name', 'website', 'description', 'location', 'logoUrl', 'note', 'domains', 'phones', 'brandColor']

const filledOf = (json: object) => Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null))

/** Writes an organization. An existing organization with the same name stays unchanged, and is used. */
async function writeOrganization(
  context: WriteContext,
  record: OutgoingRecord,
  all: () => Promise<RawRecord[]>,
): Promise<WriteOutcome> {
  const { api, inFlight, facts } = context
  const { key, fields } = record
  const body = writeRecord(desk.organizations, record, { isWhole: record.destinationId !== null })
  const digest = organizationDigest(fields.name)
  const isSame = ({ name }: RawRecord) => organizationDigest(name) === digest
  const same = record.destinationId === null ? (await all()).find(isSame) : undefined
  const isOurs = same !== undefined && (await inFlight.noted('new_organizations', [key])).has(key)
  if (same && !isOurs) return matched(key, same.id, organizationUrl(same.id))
  const destinationId = same ? String(same.id) : record.destinationId
  const raw = destinationId === null ? {} : present(await api.one(`/v2/organizations/${destinationId}`))
  const now = Object.entries(raw).filter(([name, value]) => kept.includes(name) && value !== null)
  const losses: WriteLoss[] = []
  const save = async () => {
    const send = (json: object) =>
      destinationId === null
        ? api.send('POST', '/v2/organizations', json)
        : api.send('PUT', `/v2/organizations/${destinationId}`, filledOf({ ...Object.fromEntries(now), ...json }))
    const sent = await send(body)
    // Help Scout refuses a domain that another organization has, or that is not a valid domain.
    if (sent.result === 'done' || !isAbout(sent, /^domain/)) return sent
    losses.push('domain_refused')
    return send({ ...body, domains: [] })
  }
  const finish = async (sent: Sent): Promise<WriteOutcome> => {
    const answer = done(sent)
    const id = destinationId ?? madeId(answer)
    const read = async () => {
      const found = await api.one(organizationPath(id))
      if (!found) throw new RetryableError('Help Scout answered with no organization that it has just made')
      return found
    }
    const saved = await read()
    if (destinationId === null) (await all()).push(saved)
    if (facts.organizationProperties.size === 0) return written(key, id, foundOrganization(context, saved), losses)
    losses.push(...(await saveProperties(context, id, record, saved)))
    return written(key, id, foundOrganization(context, await read()), losses)
  }
  if (destinationId !== null) return finish(await save())
  return inFlight.make('new_organizations', key, { before: '0', digest }, async () => finish(await save()))
}
