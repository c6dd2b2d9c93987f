import { RefusedError } from '../../kit/outcomes.ts'
import { taken } from './api.ts'
import { keyFieldOf, sendCustom, storedCustom } from './custom-fields.ts'
import { hashKey, markLine, markRoom, readMarked } from './markers.ts'
import { numberOf, plainText, textOf, userIdOf } from './native-issue.ts'
import type { Raw } from './schema.ts'
import type { Vocabulary } from './vocabulary.ts'
import { removeListed } from './write-project-lists.ts'
import * as write from './writing.ts'
import { type EntityWriter, type Fields, findByKeyField, type Writing } from './writing.ts'

type NativeEntry = ReturnType<typeof toNative>

const longestName = 100
const longestComment = 1024 - markRoom - longestName - 4

/** Redmine keeps two decimals of hours. */
const round = (hours: unknown): number => (typeof hours === 'number' ? Math.round(hours * 100) / 100 : 0)

function toNative(fields: Fields, { activities }: Vocabulary) {
  const issue = numberOf(fields.issue)
  const wanted = textOf(fields.activity).toLowerCase()
  const named = activities.find(({ name, isActive }) => isActive && name.toLowerCase() === wanted)
  return {
    issue,
    // Only set if the entry has no issue; otherwise the issue determines the project.
    project: issue === undefined ? numberOf(fields.project) : undefined,
    user: userIdOf(fields.user),
    hours: round(fields.hours),
    spentOn: textOf(fields.spent_on) || undefined,
    comments: plainText(fields.description),
    activity: (named ?? activities.find(({ isDefault }) => isDefault))?.id,
  }
}

export const writeTimeEntries: EntityWriter = {
  customized: 'time_entry',
  facts: () => ({ description: { maxLength: longestComment } }),

  stored: (fields, { vocabulary }) => toNative(fields, vocabulary),

  async write(job) {
    const { api, directory, vocabulary, record } = job
    const native = toNative(record.fields, vocabulary)
    const keyField = keyFieldOf(vocabulary.fields, 'time_entry')
    const projectId = native.issue === undefined ? native.project : (await job.issue(native.issue))?.project?.id
    if (projectId === undefined || !(await job.locks.openProject(projectId)) || !keyField) {
      throw new RefusedError('gone', 'The issue or project of this time entry is no longer in Redmine.')
    }
    // Time can be booked only for members with that right. So everyone who booked time becomes a member.
    const user = native.user === undefined ? null : await directory.user(native.user)
    if (user?.status === 1) await directory.ensureMember(user.id, projectId)
    const isKept = user !== null && (await directory.may(user, projectId, ['log_time']))
    write.noteAuthor(job, native.user, isKept)
    // The comment names the person only if the entry could not be booked for them.
    const name = isKept ? '' : ((await write.nameFor(job, native.user))?.slice(0, longestName) ?? '')
    const mark = { hash: hashKey(record.key), isAuthorKept: false }
    const entry = {
      ...(native.issue === undefined ? { project_id: projectId } : { issue_id: native.issue }),
      user_id: isKept ? user.id : job.accountId,
      hours: record.fields.hours,
      spent_on: native.spentOn ?? record.createdAt?.slice(0, 10) ?? undefined,
      comments: isKept ? native.comments : markLine(native.comments, mark, name),
      activity_id: native.activity,
      custom_fields: [{ id: keyField.id, value: record.key }, ...sendCustom(job, 'time_entry')],
    }
    const { id } = taken(await api.save('time_entry', record.destinationId, entry))
    return write.written(job, id, urlOf(job, id))
  },

  async findAll(writing, records) {
    const entries = await findByKeyField(writing, 'time_entry', records)
    return entries.map(({ key, raw }) => {
      const custom = storedCustom(writing, 'time_entry', raw)
      return { key, ...write.found(raw.id, urlOf(writing, raw.id), null, readNative(raw), custom) }
    })
  },

  remove: (call, { destinationId }) => removeListed(call, 'time_entry', destinationId),
}

const urlOf = ({ api }: Writing, id: number | string) => `${api.base}/time_entries/${id}/edit`

function readNative(raw: Raw<'time_entry'>): NativeEntry {
  const { text, mark } = readMarked(raw.comments, 'line')
  return {
    issue: raw.issue?.id,
    project: raw.issue ? undefined : raw.project?.id,
    user: mark && !mark.isAuthorKept ? undefined : raw.user?.id,
    hours: round(raw.hours),
    spentOn: raw.spent_on,
    comments: text,
    activity: raw.activity?.id,
  }
}
