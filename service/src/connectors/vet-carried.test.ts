import { expect, test } from 'vitest'
import type { Carried, DestinationEntity } from './contract/contract.ts'
import { vetCarried } from './vet-declaration.ts'

const entity = (carries?: Record<string, Carried>): DestinationEntity => ({
  fields: {},
  customFields: 'any',
  ...(carries && { carries }),
})
const most = { most: 100 }

test('tickets can carry their comments', () => {
  expect(vetCarried({ tickets: entity({ comments: most }), comments: entity() }, 'helpdesk')).toEqual([])
})

test.each([
  ['an entity that is not taken', { tickets: entity({ comments: most }) }, 'tickets.carries.comments: comments is no'],
  [
    'what does not belong to it',
    { contacts: entity({ comments: most }), comments: entity() },
    'contacts.carries.comments: comments do not belong to contacts',
  ],
  [
    'records that stand for themselves',
    { organizations: entity({ contacts: most }), contacts: entity() },
    'organizations.carries.contacts: ',
  ],
  [
    'files',
    { tickets: entity({ attachments: most }), attachments: entity() },
    'tickets.carries.attachments: files travel by themselves',
  ],
  [
    'records that are no files and are to be uploaded',
    { tickets: entity({ comments: { most: 1, isUploaded: true } }), comments: entity() },
    'tickets.carries.comments.isUploaded: comments are no files',
  ],
  [
    'what carries something itself',
    { tickets: entity({ comments: most }), comments: entity({ attachments: most }), attachments: entity() },
    'tickets.carries.comments: comments carry attachments themselves',
  ],
  [
    'no record at all',
    { tickets: entity({ comments: { most: 0 } }), comments: entity() },
    'tickets.carries.comments.most: must be at least 1',
  ],
])('an entity that carries %s contradicts itself', (_name, entities, problem) => {
  expect(vetCarried(entities, 'helpdesk').join('\n')).toContain(`entities.${problem}`)
})

test('entities of another family in a description are ignored', () => {
  expect(vetCarried({ issues: entity({ comments: most }), comments: entity() }, 'helpdesk')).toEqual([])
})
