import { expect, test } from 'vitest'
import {
  asStored as asGhost,
  toStored as toGhost,
  toPostRequest as toGhostRequest,
} from '../../service/src/connectors/blog/ghost/mapping.ts'
import { asStored, toRequest, toStored } from '../../service/src/connectors/blog/wordpress/mapping.ts'
import type { OutgoingRecord } from '../../service/src/connectors/contract/contract.ts'

// The comparison never treats two visibilities as equal, except for texts that are published by schedule.

const [past, future] = ['2020-01-01T00:00:00.000Z', '2036-01-01T00:00:00.000Z']

const post = (status: string, published_at: string, more: Record<string, unknown> = {}): OutgoingRecord => ({
  key: 'imp_1/posts/1',
  revision: 1,
  destinationId: null,
  createdBy: null,
  fields: { title: 'x', body: '<p>x</p>', status, published_at, ...more },
  customFields: {},
  createdAt: null,
  updatedAt: null,
})

const sent = ['published', 'scheduled', 'private', 'draft'].flatMap((status) => [
  post(status, past),
  post(status, future),
])
const protectedPost = post('private', past, { password: 'p' })

/** The form in which WordPress stores a request, with the given status. */
function inWordpress(record: OutgoingRecord, status: string, date = record.fields.published_at): unknown {
  const request = toRequest('posts', record) as Record<string, string>
  const text = (raw: string) => ({ raw, rendered: raw })
  return {
    ...{ id: 1, slug: 'x', link: 'https://blog.example/x', author: 1, featured_media: 0, comment_status: 'open' },
    ...{ sticky: false, format: 'standard', tags: [], categories: [], password: request.password },
    ...{
      title: text('x'),
      excerpt: text(''),
      content: text(String(request.content)),
      modified_gmt: '2026-01-01T00:00:00',
    },
    date_gmt: String(date).slice(0, 19),
    status,
  }
}

test.each([...sent, protectedPost])(
  'WordPress: $fields.status for $fields.published_at equals no other status',
  (record) => {
    const wanted = asStored('posts', record).fields
    const { status: made } = toRequest('posts', record) as { status: string }
    for (const status of ['publish', 'future', 'private', 'draft', 'pending', 'trash']) {
      const isSame =
        JSON.stringify(toStored('posts', inWordpress(record, status)).fields.status) === JSON.stringify(wanted.status)
      expect(isSame, status).toBe(status === made)
    }
  },
)

test('WordPress: a scheduled text is equal once its time has come, and differs when somebody publishes it early', () => {
  const record = post('scheduled', future)
  const wanted = asStored('posts', record).fields.status
  expect(toStored('posts', inWordpress(record, 'publish', past)).fields.status).toBe(wanted)
  expect(toStored('posts', inWordpress(record, 'publish', future)).fields.status).not.toBe(wanted)
})

test('WordPress: a missed schedule is written as a draft', () => {
  expect(toRequest('posts', post('scheduled', past))).toMatchObject({ status: 'draft' })
  expect(toRequest('posts', post('scheduled', future))).toMatchObject({ status: 'future' })
})

/** The form in which Ghost stores a request, with the given status. */
function inGhost(record: OutgoingRecord, status: string, date = record.fields.published_at): unknown {
  const { request } = toGhostRequest('posts', record, { site: 'https://ghost.example', now: Date.now() })
  return {
    ...{ id: 'c'.repeat(24), slug: 'x', url: 'https://ghost.example/x', title: 'x', html: '<p>x</p>', featured: false },
    ...{ custom_excerpt: null, feature_image: null, feature_image_alt: null, feature_image_caption: null },
    ...{ meta_title: null, meta_description: null, canonical_url: null, tags: [], authors: [] },
    ...{ created_at: past, updated_at: past, visibility: request.visibility },
    codeinjection_head: request.codeinjection_head,
    published_at: date,
    status,
  }
}

test.each(sent)('Ghost: $fields.status for $fields.published_at equals no other status', (record) => {
  const wanted = asGhost('posts', record, 'https://ghost.example').fields.status
  const { request } = toGhostRequest('posts', record, { site: 'https://ghost.example', now: Date.now() })
  for (const status of ['published', 'scheduled', 'draft', 'sent']) {
    expect(toGhost('posts', inGhost(record, status)).fields.status === wanted, status).toBe(status === request.status)
  }
})

test('Ghost: a scheduled text is equal once its time has come, and our draft differs once it is published', () => {
  const scheduled = post('scheduled', future)
  const wanted = asGhost('posts', scheduled, 'https://ghost.example').fields.status
  expect(toGhost('posts', inGhost(scheduled, 'published', past)).fields.status).toBe(wanted)
  const missed = post('scheduled', past)
  expect(toGhost('posts', inGhost(missed, 'published')).fields.status).not.toBe(
    asGhost('posts', missed, 'https://ghost.example').fields.status,
  )
})
