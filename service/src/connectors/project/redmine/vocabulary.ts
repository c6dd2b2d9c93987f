import type { Family } from '../../../families/index.ts'
import type { RichText } from '../../../families/record.ts'
import type { RedmineApi } from './api.ts'
import { readFieldDefinitions } from './custom-fields.ts'
import { type Raw, take } from './schema.ts'

/** An entry of one of the instance's lists: its id, its name and the family's word for it. */
export type Choice = ReturnType<typeof nameChoices>[number]
/** The lists that an administrator of the instance maintains. */
export type Vocabulary = Awaited<ReturnType<typeof readVocabulary>>

const same = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, name.replace(' ', '_')]))

/** What Redmine's standard names mean in each family. Other names stay unchanged; the customer maps them. */
const meanings: Partial<Record<Family, Record<string, Record<string, string>>>> = {
  project: {
    trackers: same('bug', 'feature', 'support', 'task'),
    statuses: same('new', 'in progress', 'resolved', 'closed', 'rejected'),
    priorities: same('low', 'normal', 'high', 'urgent', 'immediate'),
    roles: same('manager', 'developer', 'reporter'),
  },
  helpdesk: {
    trackers: same('task'),
    statuses: { ...same('new', 'closed'), 'in progress': 'open', feedback: 'pending', resolved: 'solved' },
    priorities: same('low', 'normal', 'high', 'urgent'),
  },
}

/**
 * If two names have the same meaning, the first gets the family's word and the second keeps its name. An inactive entry
 * can be read but not be chosen.
 */
export function nameChoices(family: Family, list: string, items: readonly Raw<'enumeration'>[]) {
  const known = meanings[family]?.[list] ?? {}
  const taken = new Set<string>()
  return items.map(({ id, name = `#${id}`, is_default: isDefault = false, active: isActive = true }) => {
    const meaning = known[name.trim().toLowerCase()]
    const option = meaning === undefined || taken.has(meaning) ? name : meaning
    taken.add(option)
    return { id, name, option, isDefault, isActive }
  })
}

export async function readVocabulary(api: RedmineApi, family: Family) {
  const trackers = await api.all('tracker')
  const statuses = await api.all('issue_status')
  const enumeration = async (list: string, name: string) => {
    const items = (await api.listAll(`/enumerations/${name}.json`, name)).map((item) => take('enumeration', item))
    return withDefault(nameChoices(family, list, items))
  }
  const firstStatus = statuses[0]?.id ?? 1
  return {
    trackers: withDefault(nameChoices(family, 'trackers', trackers)),
    statuses: nameChoices(family, 'statuses', statuses),
    priorities: await enumeration('priorities', 'issue_priorities'),
    activities: await enumeration('activities', 'time_entry_activities'),
    roles: nameChoices(family, 'roles', await api.all('role')),
    fields: readFieldDefinitions(await api.all('custom_field')),
    /** The status of a new issue, by tracker. */
    bornWith: new Map(trackers.map(({ id, default_status }) => [id, default_status?.id ?? firstStatus])),
    textFormat: await readTextFormat(api),
  }
}

/** Without a default, the first active choice becomes ours, because Redmine refuses an issue without one. */
function withDefault(choices: Choice[]): Choice[] {
  if (choices.some(({ isDefault }) => isDefault)) return choices
  const first = choices.findIndex(({ isActive }) => isActive)
  return choices.map((choice, index) => ({ ...choice, isDefault: index === first }))
}

/**
 * The API does not tell the markup of texts, but the form for news links to its help page. If the form is hidden, we
 * assume Textile, the default up to Redmine 5.0.
 */
async function readTextFormat(api: RedmineApi): Promise<'textile' | 'markdown'> {
  const { status, body } = await api.page('/news')
  return status === 200 && /wiki_syntax_(markdown|common_mark)/.test(body) ? 'markdown' : 'textile'
}

/** The format of the instance's texts. Redmine's Markdown differs from that of other tools. */
export const textFormatOf = ({ textFormat }: Pick<Vocabulary, 'textFormat'>): RichText['format'] =>
  textFormat === 'markdown' ? 'redmine_markdown' : textFormat

/** The family's word for a choice of a record. */
export const optionOf = (choices: readonly Choice[], given: { id: number; name: string } | undefined) =>
  choices.find(({ id }) => id === given?.id)?.option ?? given?.name

/** The id of the choice with this family word, or of the default if there is none. */
export function idOf(choices: readonly Choice[], option: unknown): number | undefined {
  const chosen = choices.find((choice) => choice.option === option && choice.isActive)
  return (chosen ?? choices.find(({ isDefault }) => isDefault))?.id
}
