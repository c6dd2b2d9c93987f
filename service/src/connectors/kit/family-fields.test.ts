import { expect, test } from 'vitest'
import { familyFields } from './family-fields.ts'

test('the fields of the family are described with the limits of the tool, without those that it does not take', () => {
  const field = { many: false, required: false, maxLength: null, options: [] }
  const fields = familyFields('project', 'comments', ['is_private'], {
    body: { maxLength: 100 },
    author: { required: true },
  })
  expect(fields).toEqual({
    issue: { ...field, type: 'relation', required: true },
    author: { ...field, type: 'user', required: true },
    body: { ...field, type: 'rich_text', maxLength: 100 },
  })
  expect(familyFields('project', 'memberships').roles).toEqual({ ...field, type: 'option', many: true })
})
