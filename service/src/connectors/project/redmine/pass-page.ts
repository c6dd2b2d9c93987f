import { issueEntity } from './read-issues.ts'
import { passOffsetPage } from './read-offset-page.ts'
import type { Reading } from './reader.ts'

/** The position after a page, without reading it. Issues and projects are read by id, the rest of these by place. */
export function passPage(reading: Reading, entity: string, cursor: string | null): string | null {
  const { pageSize } = reading
  if (entity === issueEntity(reading)) return String(Number(cursor ?? 1) + pageSize)
  if (entity === 'comments') return `${Number((cursor ?? '1:0').split(':')[0]) + pageSize}:0`
  if (entity === 'projects' || entity === 'groups') return String(Number(cursor ?? 0) + pageSize)
  if (entity === 'time_entries') return passOffsetPage(cursor, pageSize)
  if (entity === 'contacts') {
    const [status, place = ''] = (cursor ?? '1|').split('|')
    return `${status}|${passOffsetPage(place || null, pageSize)}`
  }
  if (entity === 'attachments') {
    const [step, place = ''] = (cursor ?? 'issues|').split('|')
    return step === 'issues' ? `issues|${Number(place || 1) + pageSize}` : null
  }
  return null
}
