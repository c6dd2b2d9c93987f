import { expect, test } from 'vitest'
import { nativeForm } from './native-form.ts'

const form = nativeForm<
  { name?: string; owner?: { id: number } },
  { defaultOwner: number },
  { isOwnerKept: boolean }
>()({
  title: [({ name, subject }) => String(name ?? subject), ({ name }) => name ?? '', 'name'],
  owner: [
    ({ owner }, { defaultOwner }) => Number(owner ?? defaultOwner),
    ({ owner }, { isOwnerKept }) => (isOwnerKept ? owner?.id : undefined),
    'owner_id',
  ],
  due: [({ due }) => (typeof due === 'string' ? due : undefined), () => undefined, 'due_date'],
  isClosed: [({ status }) => status === 'closed', () => false],
})

test('a wanted record and a held record have one form, with the facts that each of them needs', () => {
  const wanted = form.wanted({ subject: 'Tiles', status: 'open' }, { defaultOwner: 7 })
  expect(wanted).toEqual({ title: 'Tiles', owner: 7, due: undefined, isClosed: false })
  expect(form.held({ name: 'Tiles', owner: { id: 7 } }, { isOwnerKept: true })).toEqual(wanted)
  expect(form.held({ name: 'Tiles', owner: { id: 7 } }, { isOwnerKept: false }).owner).toBeUndefined()
})

test('values are sent by their names in requests, empty ones as empty, and values without a name are not sent', () => {
  const native = form.wanted({ name: 'Tiles', status: 'closed' }, { defaultOwner: 7 })
  expect(form.attributes(native)).toEqual({ name: 'Tiles', owner_id: 7, due_date: '' })
})
