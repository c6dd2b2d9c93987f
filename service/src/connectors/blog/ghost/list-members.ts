import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import { sendForm } from '../../kit/files.ts'
import { chunksOf } from '../../kit/find.ts'
import { askable, type GhostApi, label, lostAccess, quote } from './api.ts'
import { memberImportSchema, parseWhole, takeWhole, type Whole } from './schema.ts'

export type Member = Whole<'members'>

/** Addresses in one filter. */
const atOnce = 25

/** The members with these addresses, by address in small letters. */
export async function findMembers(api: GhostApi, emails: readonly string[]): Promise<Map<string, Member>> {
  const found = new Map<string, Member>()
  const wanted = [...new Set(emails)].filter((email) => email !== '' && askable(email) !== '')
  for (const some of chunksOf(wanted, atOnce)) {
    // As people wrote them, so in capitals too; and of odd ones only what can be asked for.
    const filter = some.map((email) => `email:~${quote(askable(email))}`).join(',')
    for (const record of await api.listAll('members', filter)) {
      const member = takeWhole('members', record)
      if (some.includes(member.email.toLowerCase())) found.set(member.email.toLowerCase(), member)
    }
  }
  return found
}

export interface NewMember {
  email: string
  name: string
  note: string
  isSubscribed: boolean
  labels: string[]
  createdAt: string | null
}

/**
 * Adds members as a table: it keeps the time, and the owner of the site gets no mail about each of them, as for one that
 * is added alone. Answers why some were not taken, by address.
 */
export async function addMembers(api: GhostApi, members: readonly NewMember[]): Promise<Map<string, string>> {
  const refused = new Map<string, string>()
  if (members.length === 0) return refused
  const rows = members.map(({ email, name, note, isSubscribed, labels, createdAt }) =>
    [email, name, note, String(isSubscribed), createdAt ?? '', labels.join(',')].map(cell).join(','),
  )
  const bytes = Buffer.from(`email,name,note,subscribed_to_emails,created_at,labels\n${rows.join('\n')}\n`)
  const file = { contentType: 'text/csv', size: bytes.length, body: Readable.from([bytes]) }
  const form = { field: 'membersfile', fileName: 'members.csv' }
  const answer = await sendForm(label, file, form, (sending) => api.send('POST', '/members/upload/', sending))
  if (answer.result === 'refused') {
    if (answer.status === 403) throw lostAccess(403)
    throw new RetryableError(`Ghost refused a table of members: ${answer.code}`)
  }
  const { meta } = parseWhole(memberImportSchema, answer.json, 'the outcome of a table of members')
  // Ghost puts a label of its own on everyone who came this way.
  if (meta.import_label) await api.send('DELETE', `/labels/${meta.import_label.id}/`)
  for (const { email, error } of meta.stats.invalid) {
    refused.set((email ?? '').toLowerCase(), error ?? 'Ghost does not take this member.')
  }
  return refused
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
