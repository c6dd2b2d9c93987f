import type { OutgoingContent, StoredContent } from '../contract.ts'
import type { AccountFacts } from './account-facts.ts'
import type { RtApi } from './api.ts'
import { readCustomTexts, storedCustom, takeCustomTexts } from './custom-texts.ts'
import { withUserIds } from './read-pages.ts'
import { type Raw, type RawRecord, takeFields } from './schema.ts'
import { oneLine, sortIds, textsOf, versionOf } from './stored-values.ts'

/** A group as it is compared once it is a queue. */
export function storedGroup({ fields, customFields }: OutgoingContent, facts: AccountFacts): StoredContent {
  return {
    fields: {
      name: oneLine(String(fields.name ?? ''), 200),
      description: oneLine(String(fields.description ?? ''), 255),
      agents: sortIds(textsOf(fields.agents)),
    },
    customFields: storedCustom(facts.fields.groups, takeCustomTexts(facts.fields.groups, customFields)),
    createdAt: null,
    updatedAt: null,
  }
}

/** A queue that was read, in the same form. */
export async function foundGroup(
  api: RtApi,
  given: RawRecord,
  facts: AccountFacts,
): Promise<StoredContent & { id: string; version: string }> {
  const watchers = takeFields('queue', given).raw
  const { raw } = takeFields('queue', await withUserIds(api, given))
  const content = {
    fields: {
      name: raw.Name ?? '',
      description: raw.Description ?? '',
      agents: sortIds((raw.AdminCc ?? []).map(({ id }) => String(id))),
    },
    customFields: storedCustom(facts.fields.groups, readCustomTexts(facts.fields.groups, raw.CustomFields)),
    createdAt: null,
    updatedAt: null,
  }
  return { ...content, id: raw.id, version: versionOf(content, besideQueue(watchers)) }
}

/** What people can set in a queue and we never write. */
function besideQueue({ Cc = [], AdminCc = [], ...raw }: Raw<'queue'>): Record<string, unknown> {
  const { Lifecycle, SubjectTag, CorrespondAddress, CommentAddress, Disabled } = raw
  const groups = AdminCc.filter(({ type }) => type !== 'user')
  return {
    ...{ Lifecycle, SubjectTag, CorrespondAddress, CommentAddress },
    Disabled: Number(Disabled ?? 0) === 0 ? '' : 'yes',
    watchers: [...Cc, ...groups].map(({ type, id }) => `${type} ${id}`).sort(),
  }
}
