import type { Family } from '../../../families/index.ts'
import type { RichText } from '../../../families/record.ts'
import type { RedmineApi } from './api.ts'
import { type FieldDefinition, readFieldDefinitions } from './custom-fields.ts'
import { take } from './schema.ts'

/** Something that is chosen from a list of the instance: its id there, and what the family calls it. */
export interface Choice {
  id: number
  name: string
  option: string
  isDefault: boolean
  /** A value that was switched off can still be read, but not be chosen. */
  isActive: boolean
}

/** The lists that an administrator of the instance keeps. */
export interface Vocabulary {
  trackers: Choice[]
  statuses: Choice[]
  priorities: Choice[]
  activities: Choice[]
  roles: Choice[]
  fields: FieldDefinition[]
  /** The status that an issue of a tracker is born with. */
  bornWith: Map<number, number>
  textFormat: 'textile' | 'markdown'
}

/** Meanings of Redmine's standard names in each family. Other names stay unchanged; the customer maps them. */
const meanings: Partial<Record<Family, Record<string, Record<string, string>>>> = {
  project: {
    trackers: { bug: 'bug', feature: 'feature', support: 'support', task: 'task' },
    statuses: {
      new: 'new',
      'in progress': 'in_progress',
      resolved: 'resolved',
      closed: 'closed',
      rejected: 'rejected',
    },
    priorities: { low: 'low', normal: 'normal', high: 'high', urgent: 'urgent', immediate: 'immediate' },
    roles: { manager: 'manager', developer: 'developer', reporter: 'reporter' },
  },
  helpdesk: {
    trackers: { task: 'task' },
    statuses: { new: 'new', 'in progress': 'open', feedback: 'pending', resolved: 'solved', closed: 'closed' },
    priorities: { low: 'low', normal: 'normal', high: 'high', urgent: 'urgent' },
  },
}

interface Listed {
  id: number
  name?: string
  is_default?: boolean
  active?: boolean
}

/** Two names that mean the same cannot both be it: the first is, and the other keeps its name. */
export function nameChoices(family: Family, list: string, items: readonly Listed[]): Choice[] {
  const known = meanings[family]?.[list] ?? {}
  const taken = new Set<string>()
  return items.map(({ id, name = `#${id}`, is_default: isDefault = false, active: isActive = true }) => {
    const meaning = known[name.trim().toLowerCase()]
    const option = meaning === undefined || taken.has(meaning) ? name : meaning
    taken.add(option)
    return { id, name, option, isDefault, isActive }
  })
}

export async function readVocabulary(api: RedmineApi, family: Family): Promise<Vocabulary> {
  const trackers = await api.all('tracker')
  const statuses = await api.all('status')
  const enumerations = async (name: string) =>
    (await api.listAll(`/enumerations/${name}.json`, name)).map((item) => take('enumeration', item))
  const priorities = await enumerations('issue_priorities')
  const activities = await enumerations('time_entry_activities')
  const roles = await api.all('role')
  const firstStatus = statuses[0]?.id ?? 1
  return {
    trackers: withDefault(nameChoices(family, 'trackers', trackers)),
    statuses: nameChoices(family, 'statuses', statuses),
    priorities: withDefault(nameChoices(family, 'priorities', priorities)),
    activities: withDefault(nameChoices(family, 'activities', activities)),
    roles: nameChoices(family, 'roles', roles),
    fields: readFieldDefinitions(await api.all('customField')),
    bornWith: new Map(trackers.map(({ id, default_status }) => [id, default_status?.id ?? firstStatus])),
    textFormat: await readTextFormat(api),
  }
}

/** Without a default in the instance, the first is ours: an issue without one would be refused. */
function withDefault(choices: Choice[]): Choice[] {
  if (choices.some(({ isDefault }) => isDefault)) return choices
  const first = choices.findIndex(({ isActive }) => isActive)
  return choices.map((choice, index) => ({ ...choice, isDefault: index === first }))
}

/**
 * The API does not tell which markup texts are in; the form for news links to the help on it. Instances that hide the
 * form are taken to use Textile, which Redmine up to 5.0 comes with.
 */
async function readTextFormat(api: RedmineApi): Promise<'textile' | 'markdown'> {
  const { status, body } = await api.page('/news')
  return status === 200 && /wiki_syntax_(markdown|common_mark)/.test(body) ? 'markdown' : 'textile'
}

/** The format of an instance's texts: its Markdown is no other tool's. */
export const textFormatOf = ({ textFormat }: Pick<Vocabulary, 'textFormat'>): RichText['format'] =>
  textFormat === 'markdown' ? 'redmine_markdown' : textFormat

export const optionOf = (choices: readonly Choice[], id: number | undefined): string | undefined =>
  choices.find((choice) => choice.id === id)?.option

/** The id of what the family calls so; the instance's default when nothing is said or it has no such thing. */
export function idOf(choices: readonly Choice[], option: unknown): number | undefined {
  const chosen = choices.find((choice) => choice.option === option && choice.isActive)
  return (chosen ?? choices.find(({ isDefault }) => isDefault))?.id
}
