import type { OutgoingContent, OutgoingRecord, Writer } from '../contract/contract.ts'
import { once } from './once.ts'
import { readAll } from './pages.ts'

type Custom = OutgoingContent['customFields']

const largestPage = 100

/** Replaces people in custom fields by their names, for a tool that has no field for a person. */
export function openNames(users: Writer['users']) {
  const names = once(async () => {
    const all = await readAll((cursor) => users(cursor), largestPage)
    return new Map(all.map(({ id, name, email }) => [id, name || email || id]))
  })
  const inCustom = async (custom: Custom): Promise<Custom> => {
    if (!Object.values(custom).some(({ type }) => type === 'user')) return custom
    const known = await names()
    const nameOf = (id: unknown) => known.get(String(id)) ?? id
    const named = Object.entries(custom).map(([key, one]) => {
      if (one.type !== 'user') return [key, one]
      return [key, { ...one, value: Array.isArray(one.value) ? one.value.map(nameOf) : one.value && nameOf(one.value) }]
    })
    return Object.fromEntries(named)
  }
  const inContent = async <C extends OutgoingContent>(content: C): Promise<C> => {
    const customFields = await inCustom(content.customFields)
    return customFields === content.customFields ? content : { ...content, customFields }
  }
  return {
    inContent,
    inRecord: async <R extends OutgoingRecord>(record: R): Promise<R> => {
      const { parts } = record
      const whole = await inContent(record)
      return parts ? { ...whole, parts: await Promise.all(parts.map(inContent)) } : whole
    },
  }
}
