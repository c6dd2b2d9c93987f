import { zipOf } from '../connectors/csv-upload.ts'
import { type Facts, newFacts, ofTable } from './facts.ts'

// Customers as an export has them, and the records that a Tryton must have afterwards.

const names = ['Brücke & Söhne 🚀', 'שלום בע״מ', "O'Neil <script>"]
const accounts = names.map((name, index) => ({ id: `a${index}`, name, mail: `a${index}@export.example` }))
const contacts = Array.from({ length: 1_000 }, (_, index) => ({
  id: `c${index}`,
  // Every fourth person has the same name.
  name: index % 4 === 0 ? 'Same Person' : `Person ${index}`,
  mail: `c${index}@export.example`,
  phone: `+49 221 100${String(index).padStart(4, '0')}`,
  account: `a${index % 3}`,
}))
const notes = Array.from({ length: 150 }, (_, index) => ({
  id: `n${index}`,
  on: `c${index % 40}`,
  text: `Call ${index}`,
}))

const table = (header: string, rows: string[][]) =>
  `${[header, ...rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join())].join('\r\n')}\r\n`

export const csvPartiesZip = (): Buffer =>
  zipOf([
    {
      name: 'accounts.csv',
      content: table(
        'id,name,email',
        accounts.map(({ id, name, mail }) => [id, name, mail]),
      ),
    },
    {
      name: 'contacts.csv',
      content: table(
        'id,name,email,phone,account_id',
        contacts.map(({ id, name, mail, phone, account }) => [id, name, mail, phone, account]),
      ),
    },
    {
      name: 'notes.csv',
      content: table(
        'id,contact_id,body',
        notes.map(({ id, on, text }) => [id, on, text]),
      ),
    },
  ])

interface Mechanism {
  type: string
  value: string
}

/** Compares parties with their addresses, employers and notes. Returns the differences. */
export function compareCsvParties(before: Facts, now: Facts): string[] {
  const made = newFacts(before, now)
  const parties = ofTable(made, 'parties')
  const mechanisms = (fact: Record<string, unknown>) =>
    (fact.mechanisms as string[]).map((one) => JSON.parse(one) as Mechanism)
  const addressOf = (fact: Record<string, unknown>, type: string) =>
    mechanisms(fact).find((one) => one.type === type)?.value ?? ''
  const byId = new Map(parties)
  const relations = ofTable(made, 'relations').map(([, { from_, to }]) => [String(from_), String(to)])
  const employerOf = (id: string) => {
    const other = relations.filter((ends) => ends.includes(id)).map((ends) => ends.find((one) => one !== id) ?? '')
    return other.map((one) => String(byId.get(one)?.name)).join()
  }
  const isAccount = (fact: Record<string, unknown>) => addressOf(fact, 'email').startsWith('a')
  const found = parties.map(([id, fact]) =>
    JSON.stringify([
      ...[String(fact.name), addressOf(fact, 'email'), addressOf(fact, 'phone').replace(/\D/g, '')],
      ...[isAccount(fact) ? '' : employerOf(id), [...(fact.notes as string[])].sort()],
    ]),
  )
  const wanted = [
    ...accounts.map(({ name, mail }) => JSON.stringify([name, mail, '', '', []])),
    ...contacts.map(({ id, name, mail, phone, account }) => {
      const texts = notes.filter(({ on }) => on === id).map(({ text }) => text)
      const employer = accounts.find((one) => one.id === account)?.name
      return JSON.stringify([name, mail, phone.replace(/\D/g, ''), employer, texts.sort()])
    }),
  ]
  return [
    ...wanted.filter((one) => !found.includes(one)).map((one) => `lost: ${one}`),
    ...found.filter((one) => !wanted.includes(one)).map((one) => `made up: ${one}`),
    ...(found.length === wanted.length ? [] : [`${wanted.length} became ${found.length}`]),
  ]
}
