import type { OutgoingContent, StoredContent } from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { type Form, storedForm, toForm } from '../../kit/whole-form.ts'
import type { AccountFacts } from './account-facts.ts'
import type { RtApi } from './api.ts'
import { customRequest, shapeCustom, withMade, withoutMade } from './custom-fields.ts'
import { contacts, groups, loginOf, shapeUser, toUserFields } from './people.ts'
import { type Raw, type RawCustomValues, take } from './schema.ts'
import { versionOf } from './stored-values.ts'

// Users and queues in the forms that are sent and compared.

const entities = { contacts, groups }
type Name = keyof typeof entities
const entityOf = (name: Name, { fields }: AccountFacts) => withMade(entities[name], fields[name])
const noTimes = { createdAt: null, updatedAt: null }

function sentForm(name: Name, content: OutgoingContent, facts: AccountFacts): Form {
  const form = toForm(entityOf(name, facts), content)
  return name === 'contacts' ? { ...form, Login: loginOf(String(form.Login), form.EmailAddress) } : form
}

/** The content of a record as Request Tracker will return it. */
export const storedPerson = (name: Name, content: OutgoingContent, facts: AccountFacts): StoredContent => ({
  ...storedForm(entityOf(name, facts), sentForm(name, content, facts)),
  ...noTimes,
})

/** A record that was read, in its compared form. `beside` holds values that people can set and we never write. */
function foundForm(name: Name, raw: Form, facts: AccountFacts, beside: Record<string, unknown>) {
  const custom = shapeCustom(facts.fields[name], raw.CustomFields as RawCustomValues | undefined)
  const content = { ...storedForm(entityOf(name, facts), { ...raw, ...custom }), ...noTimes }
  return { ...content, version: versionOf(content, beside) }
}

export function foundContact(record: RawRecord, facts: AccountFacts) {
  const { NickName, Gecos, Signature, ...raw } = take('user', record)
  return foundForm('contacts', shapeUser(raw), facts, { NickName, Gecos, Signature })
}

export async function foundGroup(api: RtApi, record: RawRecord, facts: AccountFacts) {
  const { Cc = [], AdminCc = [], Disabled = 0, ...raw } = take('queue', record)
  const { Lifecycle, SubjectTag, CorrespondAddress, CommentAddress } = raw
  const groupsAmong = AdminCc.filter(({ type }) => type !== 'user')
  return foundForm('groups', { ...raw, AdminCc: await withUserIds(api, AdminCc) }, facts, {
    ...{ Lifecycle, SubjectTag, CorrespondAddress, CommentAddress },
    Disabled: Number(Disabled) === 0 ? '' : 'yes',
    watchers: [...Cc, ...groupsAmong].map(({ type, id }) => `${type} ${id}`).sort(),
  })
}

/** Replaces login names of watchers by user ids: a single record names watchers by login. */
export async function withUserIds(api: RtApi, watchers: Raw<'queue'>['AdminCc'] = []) {
  const numbered: NonNullable<typeof watchers> = []
  for (const { id } of watchers.filter(({ type }) => type === 'user')) {
    const user = await api.get(`/user/${encodeURIComponent(String(id))}`)
    if (user) numbered.push({ type: 'user', id: user.id })
  }
  return numbered
}

/** The form of a record, and the fields of its request. */
export function personRequest(name: Name, content: OutgoingContent, facts: AccountFacts) {
  const form = sentForm(name, content, facts)
  const fields = name === 'contacts' ? toUserFields(withoutMade(form)) : withoutMade(form)
  return { form, request: { ...fields, CustomFields: customRequest(facts.fields[name], form) } as Form }
}
