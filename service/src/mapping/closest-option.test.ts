import { expect, test } from 'vitest'
import { closestOption } from './closest-option.ts'

const crm = ['planned', 'done', 'cancelled']
const pipedrive = ['planned', 'done']

/** Values of HubSpot's calls, meetings, tasks and e-mails that have no word in the family. */
test.each([
  ...['BUSY', 'NO_ANSWER', 'MISSED', 'CONNECTED', 'NO_SHOW', 'BOUNCED'].map((one) => [one, 'done', 'done']),
  ...['CALLING_CRM_USER', 'CONNECTING', 'RINGING', 'SENDING'].map((one) => [one, 'done', 'done']),
  ['RESCHEDULED', 'cancelled', 'done'],
  ['FAILED', 'cancelled', 'done'],
  ['IN_PROGRESS', 'planned', 'planned'],
  ['WAITING', 'planned', 'planned'],
  ['DEFERRED', 'planned', 'planned'],
])('an activity that is %s arrives as %s, and as %s where nothing is cancelled', (value = '', whole, short) => {
  expect(closestOption(value, crm)).toBe(whole)
  expect(closestOption(value, pipedrive)).toBe(short)
})

test('a choice of the same name comes first', () => {
  expect(closestOption('NO_SHOW', [...crm, 'No show'])).toBe('No show')
  expect(closestOption('Waiting', ['new', 'open', 'pending', 'closed'])).toBe('pending')
})
