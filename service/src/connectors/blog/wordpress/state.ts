import type { OutgoingContent } from '../../contract/contract.ts'
import { textOf } from '../../kit/left-out.ts'
import { publication } from '../../kit/publication.ts'
import { type Surroundings, toSeconds } from './lenses.ts'

const statuses: Record<string, string> = { publish: 'published', future: 'scheduled' }
const wanted: Record<string, string> = { published: 'publish', scheduled: 'future' }

/** The date of a text: WordPress has one date for creation and publication. */
export const dateOf = ({ fields, createdAt }: OutgoingContent): string | null =>
  toSeconds(fields.published_at ?? createdAt)

/** When a post or page is public. */
export const times = publication<Surroundings>({
  published: 'publish',
  scheduled: 'future',
  leastAheadMs: 1,
  passed: 'missed',
  options: ['draft', 'pending', 'scheduled', 'published', 'private'],
  dateOf,
  timeOf: ({ date_gmt: date }) => Date.parse(`${date}Z`),
  // A published text with a password becomes private, the closest status: only people with the password may read it.
  read(status, { password }) {
    if (status === 'publish' && password !== '') return password === undefined ? undefined : 'private'
    return statuses[status] ?? status
  },
  wantedStatus(content) {
    const status = textOf(content.fields, 'status') || 'draft'
    // A text with a password must be published, because everyone who has the password may read it.
    if (status === 'private' && textOf(content.fields, 'password') !== '') return 'publish'
    if (status === 'scheduled' && dateOf(content) === null) return 'draft'
    return wanted[status] ?? status
  },
})
