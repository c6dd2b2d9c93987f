import { randomUUID } from 'node:crypto'
import { answer } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, type Customer, conflict, found, lengthOf, type Property, wrong } from './account.ts'
import { done, halPage } from './hal.ts'
import { touchCustomer } from './save-customer.ts'
import { bodies } from './shapes.ts'

const types = ['number', 'text', 'url', 'date', 'dropdown']
const reserved = ['email', 'name', 'company', 'jobTitle']

export const presentProperties = ({ properties }: Account, customer: Customer) =>
  properties.list().flatMap(({ slug, name, type, options }) => {
    const value = customer.properties[slug]
    if (value === undefined) return []
    const text = options.find(({ id }) => id === value)?.label ?? value
    return [{ type, slug, name, value, text, source: { name: 'api' } }]
  })

/** The stored value of a property; a choice is stored by its id. */
export function checkProperty({ slug, type, options }: Property, value: unknown): string {
  const text = String(value)
  const fail = (format: string) => wrong(`/${slug}`, `Expected ${format}`, text.slice(0, 100))
  if (type === 'number' && !/^-?\d{1,19}$/.test(text)) fail('an integer')
  if (type === 'text' && lengthOf(text) > 255) fail('at most 255 characters')
  if (type === 'url' && !/^\S+\.\S+$/.test(text)) fail('a valid URL')
  if (type === 'date' && !/^\d{4}-\d\d-\d\d$/.test(text)) fail('YYYY-MM-DD')
  if (type !== 'dropdown') return text
  const option = options.find(({ id, label }) => id === text || label === text)
  return option?.id ?? (fail('an option') as never)
}

export function propertyOperations(account: Account): Operation[] {
  const { properties, customers, pageSizes } = account
  return [
    {
      method: 'GET',
      path: '/v2/customer-properties',
      act: (request) =>
        halPage(
          request,
          'customer-properties',
          properties.list(),
          pageSizes.others,
          ({ type, slug, name, options }) => ({
            type,
            slug,
            name,
            ...(type === 'dropdown' && { options }),
          }),
        ),
    },
    {
      method: 'POST',
      path: '/v2/customer-properties',
      json: bodies.property,
      act({ json: { type, slug, name, options = [] } }) {
        if (!types.includes(type)) wrong('type', `Expected one of these: ${types.join(', ')}`, type)
        if (!/^[\w-]{1,100}$/.test(slug) || reserved.includes(slug)) wrong('slug', 'is not valid', slug)
        if (name === '') wrong('name', 'may not be empty')
        if (options.length > 100) wrong('options', 'size must be between 0 and 100')
        if (properties.get(slug)) conflict('slug', 'already exists')
        if (properties.size() >= 50) wrong('slug', 'There is a limit of 50 customer properties')
        const made = (options as { id?: string; label: string }[]).map(({ id, label }) => ({
          id: id ?? randomUUID(),
          label,
        }))
        properties.put({ id: slug, slug, name, type, options: type === 'dropdown' ? made : [] })
        return answer(201)
      },
    },
    {
      method: 'PATCH',
      path: '/v2/customers/:id/properties',
      json: bodies.patches,
      act({ params, json }) {
        const customer = found(customers.get(String(params.id)))
        const values = { ...customer.properties }
        for (const { op, path, value } of json as { op: string; path: string; value?: unknown }[]) {
          const property = properties.get(path.slice(1)) ?? (wrong('path', 'no such property', path) as never)
          if (op === 'remove') delete values[property.slug]
          else if (op === 'replace') values[property.slug] = checkProperty(property, value)
          else wrong('op', 'Expected one of these: replace, remove', op)
        }
        touchCustomer(account, customer.id, { properties: values })
        return done
      },
    },
  ]
}
