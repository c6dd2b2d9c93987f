import { expect, test } from 'vitest'
import { entityOf } from '../../families/index.ts'
import { familyEntity } from './family-entity.ts'
import { describeEntity } from './write-record.ts'

test('an entity without lenses is described with the fields of its family, except those that are left out', () => {
  const { fields } = describeEntity(familyEntity('crm', 'deals', ['owner']), { required: 'family' })
  const names = Object.keys(entityOf('crm', 'deals').fields)
  expect(Object.keys(fields)).toEqual(names.filter((name) => name !== 'owner'))
  expect(fields.name).toEqual({ type: 'text', many: false, required: true, maxLength: null, options: [] })
  expect(fields.status).toMatchObject({ type: 'option', options: ['open', 'won', 'lost'], required: false })
  expect(fields.contacts).toMatchObject({ type: 'relation', many: true })
})
