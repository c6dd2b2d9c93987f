import { Readable } from 'node:stream'
import { RetryableError } from '../../../errors.ts'
import { sendForm } from '../../kit/files.ts'
import { chunksOf } from '../../kit/find.ts'
import { askable, type GhostApi, label, lostAccess, quote } from './api.ts'
import { memberImportSchema, parseWhole, takeWhole, type Whole } from './schema.ts'

export type Member = Whole<'members'>

/** Number of addresses in one filter. */
const atOnce = 25

/** The members with these addresses, by lower-case address. */
export async function findMembers(api: GhostApi, emails: readonly string[]): Promise<Map<string, Member>> {
  const found = new Map<string, Member>()
  const wanted = [...new Set(emails)].filter((email) => email !== '' && askable(email) !== '')
  for (const some of chunksOf(wanted, atOnce)) {
    // The filter ignores case, and contains only the part of an address that a filter can express.
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
 * Imports members as a CSV table. This keeps their times, and Ghost sends no mail to the site's owner, as it does for a
 * single new member. Returns the reasons for refused members, by address.
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
  // Ghost adds its own label to every imported member. We delete that label.
  if (meta.import_label) await api.send('DELETE', `/labels/${meta.import_label.id}/`)
  for (const { email, error } of meta.stats.invalid) {
    refused.set((email ?? '').toLowerCase(), error ?? 'Ghost does not take this member.')
  }
  return refused
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
