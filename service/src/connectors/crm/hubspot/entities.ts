import type { Family } from '../../../families/index.ts'
import { defineEntity, type Entity } from '../../kit/entity.ts'
import { takenElsewhere } from '../../kit/lens.ts'
import * as is from '../../kit/lenses.ts'
import { activities, notes } from './activities.ts'
import { accounts, contacts, deals } from './crm-entities.ts'
import { noFacts } from './define.ts'
import { comments, customers, organizations, tickets } from './desk-entities.ts'
import * as its from './lenses.ts'

export * from './activities.ts'
export * from './crm-entities.ts'
export * from './define.ts'
export * from './desk-entities.ts'

const file = (family: Family) =>
  defineEntity(family, 'attachments', {
    createdAt: is.moment('createdAt'),
    updatedAt: is.moment('updatedAt'),
    fields: {
      parent: its.related('parent'),
      file_name: is.text('fileName'),
      size: is.integer('size', { min: 0, isReadOnly: true }),
      // The label of the property that holds the file.
      description: is.text('property', { isReadOnly: true }),
      // Files are always written as private files.
      is_private: takenElsewhere(is.flag('isPrivate')),
    },
  })
export const attachments = { crm: file('crm'), helpdesk: file('helpdesk') }

export const pipelines = defineEntity('crm', 'pipelines', {
  fields: { name: is.text('label'), position: is.integer('displayOrder') },
})
export const stages = defineEntity('crm', 'stages', {
  fields: {
    pipeline: is.reference('pipelineId', 'pipelines'),
    name: is.text('label'),
    position: is.integer('displayOrder'),
    probability: is.integer('chance'),
    outcome: is.option('outcome', ['open', 'won', 'lost']),
  },
})

/** All entities, for the generated documentation. */
export const entities: readonly Entity<never>[] = [
  ...[pipelines, stages, accounts(noFacts), contacts(noFacts), deals(noFacts), activities('calls', noFacts)],
  ...[notes(noFacts), attachments.crm, organizations(noFacts), customers(noFacts), tickets(noFacts)],
  comments('emails', noFacts),
]
