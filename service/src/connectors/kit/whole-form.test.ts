import { expect, test } from 'vitest'
import type { OutgoingContent } from '../contract/contract.ts'
import { defineEntity } from './entity.ts'
import * as is from './lenses.ts'
import { changesOf, storedForm, toForm } from './whole-form.ts'

const groups = defineEntity('helpdesk', 'groups', {
  fields: { name: is.text('title', { empty: '' }), description: is.longText('about', { to: 'text' }) },
  extra: {
    rank: { label: 'Rank', lens: is.integer('rank') },
    other: { label: 'Other name', lens: is.text('title') },
    seen: { label: 'Seen', lens: is.moment('seen_at', { isReadOnly: true }) },
  },
})
const content = (fields: object, customFields: Record<string, unknown> = {}): OutgoingContent => ({
  fields: fields as Record<string, unknown>,
  customFields: Object.fromEntries(
    Object.entries(customFields).map(([key, value]) => [key, { label: key, type: 'text', value }]),
  ),
  createdAt: null,
  updatedAt: null,
})

test('a request names every writable field, and empty fields as empty', () => {
  expect(toForm(groups, content({ name: 'Sales' }, { rank: 3 }))).toEqual({ title: 'Sales', text: null, rank: 3 })
  expect(toForm(groups, content({}))).toEqual({ title: '', text: null, rank: null })
})

test('of two fields that share a target, the second one wins only with a value', () => {
  expect(toForm(groups, content({ name: 'Sales' }, { other: 'Sale' })).title).toBe('Sale')
  expect(toForm(groups, content({ name: 'Sales' }, { other: '' })).title).toBe('Sales')
})

test('sent and stored records are compared in one form, and only differences are sent', () => {
  const wanted = toForm(groups, content({ name: 'Sales', description: 'a\r\nb' }, { rank: 3 }))
  const now = { title: 'Sales', text: 'a\nb', rank: 4 }
  expect(storedForm(groups, wanted)).toEqual({
    fields: { name: 'Sales', description: 'a\nb' },
    customFields: { rank: 3, other: 'Sales' },
  })
  expect(changesOf(groups, wanted, now)).toEqual({ rank: 3 })
})
