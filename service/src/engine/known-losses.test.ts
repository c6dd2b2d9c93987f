import { expect, test } from 'vitest'
import { helpdesk } from '../families/helpdesk.ts'
import { areKnown } from './known-losses.ts'

const { fields = {} } = helpdesk.entities.find(({ name }) => name === 'tickets') ?? {}

test.each([
  [['group'], ['lost:relation_refused'], true],
  [['group', 'subject'], ['lost:relation_refused'], false],
  [['assignee', 'custom:size'], ['lost:custom_value_refused', 'lost:assignee_refused'], true],
  [['custom:size'], ['lost:assignee_refused'], false],
  [['author_agent'], ['lost:author_not_kept', 'text_cut'], true],
  [['status'], ['option_not_offered:status'], false],
  [['status'], null, false],
  // The content in the source has changed since.
  [[], ['lost:relation_refused'], false],
] as const)('%j after %j are explained: %s', (differing, warned, expected) => {
  expect(areKnown(differing, warned as Parameters<typeof areKnown>[1], fields)).toBe(expected)
})
