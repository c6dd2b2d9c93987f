import type { OutgoingContent } from '../../contract/contract.ts'
import type { ExtraField } from '../../kit/entity.ts'
import { objectsIn } from '../../kit/lens.ts'
import { several } from './lenses.ts'

// HubSpot keeps the sender and the recipients of an e-mail as JSON in one property, and fills read-only ones from it.

export const headersName = 'hs_email_headers'
/** Properties whose values are in the headers, too. */
export const isOfHeaders = (name: string): boolean =>
  name === headersName || /^hs_email_(?:from|sender|to|cc|bcc)_/.test(name)

type Properties = Readonly<Record<string, string | null>>
type Custom = OutgoingContent['customFields']

function headersIn({ [headersName]: text }: Properties): Record<string, unknown> | null {
  if (!text?.trim()) return {}
  try {
    const headers: unknown = JSON.parse(text)
    return typeof headers === 'object' && headers !== null ? (headers as Record<string, unknown>) : null
  } catch {
    return null
  }
}

export const hasOddHeaders = ({ properties }: Readonly<Record<string, unknown>>): boolean =>
  headersIn((properties ?? {}) as Properties) === null

/** Addresses such as `Ada Lind <ada@example.com>`. */
function peopleIn(properties: Properties, part: string): string[] {
  return objectsIn([headersIn(properties)?.[part]].flat()).flatMap(({ email, firstName, lastName }) => {
    if (typeof email !== 'string' || email.trim() === '') return []
    const name = [firstName, lastName].filter((one) => typeof one === 'string' && one.trim() !== '').join(' ')
    return name === '' || email.includes('<') ? email.trim() : `${name} <${email.trim()}>`
  })
}

const listOf = (part: string) =>
  several('text', [headersName], {
    read: (properties) => {
      const people = peopleIn(properties, part)
      return people.length === 0 ? undefined : people
    },
    many: true,
  })

export const mailFields: Readonly<Record<string, ExtraField<never>>> = {
  mail_from: {
    label: 'From',
    lens: several('text', [headersName], { read: (properties) => peopleIn(properties, 'from')[0] }),
  },
  mail_to: { label: 'To', lens: listOf('to') },
  mail_cc: { label: 'CC', lens: listOf('cc') },
  // The other recipients never saw these addresses.
  mail_bcc: { label: 'BCC', lens: listOf('bcc'), isRestricted: true },
}

/** The headers that these fields of another HubSpot came from, and the custom fields without them. */
export function takeHeaders(customFields: Custom): { headers: string | null; rest: Custom } {
  const given = Object.keys(mailFields).flatMap((key) => (customFields[key] ? [[key, customFields[key]] as const] : []))
  const rest = Object.fromEntries(Object.entries(customFields).filter(([key]) => !(key in mailFields)))
  if (given.length === 0) return { headers: null, rest }
  const headers = given.map(([key, { value }]) => {
    const people = [value].flat().map((one) => ({ email: String(one) }))
    return [key.replace('mail_', ''), key === 'mail_from' ? people[0] : people]
  })
  return { headers: JSON.stringify(Object.fromEntries(headers)), rest }
}
