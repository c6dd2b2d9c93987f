import { Readable } from 'node:stream'
import Type from 'typebox'
import { RetryableError } from '../../../errors.ts'
import { sendForm } from '../../kit/files.ts'
import { checkShape } from '../../kit/http.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { askable, type GhostApi, label, quote, type Raw, takeWhole } from './api.ts'
import { identified, orNone, textOrNone } from './lenses.ts'

export interface Member extends Raw {
  email: string
  note: string | null
  subscribed: boolean
  status: string
  labels: { name: string }[]
}
export const toMember = (record: Raw): Member => takeWhole('subscribers', record) as Member

/** Number of addresses in one filter. */
const atOnce = 25

/** The members with these addresses, by lower-case address. */
export async function findMembers(api: GhostApi, emails: Iterable<string>): Promise<Map<string, Member>> {
  const wanted = [...new Set(emails)].filter((email) => askable(email) !== '')
  const members = await inChunks(wanted, atOnce, async (some) => {
    // The filter ignores case, and contains only the part of an address that a filter can express.
    const filter = some.map((email) => `email:~${quote(askable(email))}`).join(',')
    const found = (await api.listAll('members', filter)).map(toMember)
    return found.filter(({ email }) => some.includes(email.toLowerCase()))
  })
  return new Map(members.map((member) => [member.email.toLowerCase(), member]))
}

export interface NewMember {
  email: string
  name: string
  note: string
  isSubscribed: boolean
  labels?: string[]
  createdAt?: string | null
}

const importSchema = Type.Object({
  meta: Type.Object({
    stats: Type.Object({
      invalid: Type.Array(Type.Object({ email: Type.Optional(textOrNone), error: Type.Optional(textOrNone) })),
    }),
    import_label: orNone(identified),
  }),
})

/**
 * Imports members as a CSV table. This keeps their times, and Ghost sends no mail to the site's owner, as it does for a
 * single new member. Returns the reasons for refused members, by address.
 */
export async function addMembers(api: GhostApi, members: readonly NewMember[]): Promise<Map<string, string>> {
  if (members.length === 0) return new Map()
  const rows = members.map(({ email, name, note, isSubscribed, labels = [], createdAt }) =>
    [email, name, note, String(isSubscribed), createdAt ?? '', labels.join(',')].map(cell).join(','),
  )
  const bytes = Buffer.from(`email,name,note,subscribed_to_emails,created_at,labels\n${rows.join('\n')}\n`)
  const file = { contentType: 'text/csv', size: bytes.length, body: Readable.from([bytes]) }
  const form = { field: 'membersfile', fileName: 'members.csv' }
  const answer = await sendForm(label, file, form, (sending) => api.send('POST', '/members/upload/', sending))
  if (answer.result === 'refused') throw new RetryableError(`Ghost refused a table of members: ${answer.code}`)
  const { meta } = checkShape(label, importSchema, answer.json, 'the outcome of a table of members')
  // Ghost adds its own label to every imported member. We delete that label.
  if (meta.import_label) await api.trySend('DELETE', `/labels/${meta.import_label.id}/`)
  return new Map(
    meta.stats.invalid.map(({ email, error }) => [
      (email ?? '').toLowerCase(),
      error ?? 'Ghost does not take this member.',
    ]),
  )
}

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
