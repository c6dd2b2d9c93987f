import type {
  OutgoingRecord,
  RemovableRecord,
  RemoveOutcome,
  SideOutcome,
  SideRecord,
  SideRecords,
  WriteOutcome,
} from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import type { Sent } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { refused } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { removeRecords } from '../../kit/remove.ts'
import { writeEach } from '../../kit/write-each.ts'
import { writeRecord } from '../../kit/write-record.ts'
import { dataIn, type Kind, label, largestPage, type PipedriveApi, recordIn } from './api.ts'
import * as all from './entities.ts'

// Labels, pipelines and stages. They have no place for a key: one of the same name is used as it is.

type Saved = { sent: Sent; id: string }
export interface NamedList {
  entity: Entity
  all(): Promise<RawRecord[]>
  /** Makes one, or changes the one with the id. */
  save(id: string | null, body: Record<string, unknown>): Promise<Saved>
  isUsed(id: string): Promise<boolean>
  remove(id: string): Promise<Sent>
}

const kindPrefix = 'pipedrive_'
const isSame = (one: unknown, other: unknown) => String(one).trim().toLowerCase() === String(other).trim().toLowerCase()

export function openLists(api: PipedriveApi): Record<string, NamedList> {
  const { http } = api
  const plain = (entity: Entity, name: 'pipelines' | 'stages', filter: string): NamedList => {
    const path = `/api/v2/${name}`
    return {
      entity,
      all: () => readAll(api.list(path), largestPage),
      async save(id, json) {
        const sent =
          id === null ? await http.send('POST', path, { json }) : await http.send('PATCH', `${path}/${id}`, { json })
        return { sent, id: sent.result === 'done' ? String(recordIn(sent.json).id) : '' }
      },
      isUsed: async (id) => {
        const inList = (list: string) => api.list(list, { [filter]: id })(null, 1)
        const lists = ['/api/v2/deals', '/api/v2/deals/archived']
        for (const list of lists) if ((await inList(list)).items.length > 0) return true
        return false
      },
      remove: (id) => http.send('DELETE', `${path}/${id}`),
    }
  }
  return {
    pipelines: plain(all.pipelines, 'pipelines', 'pipeline_id'),
    stages: plain(all.stages, 'stages', 'stage_id'),
    tags: labels(api),
  }
}

const kinds: readonly Kind[] = ['persons', 'organizations']

/** A tag is a label of people and one of organizations; its id has the numbers of both. */
function labels(api: PipedriveApi): NamedList {
  const pathOf = (kind: Kind) => `${api.fieldsPath(kind)}/${all.labelCode}/options`
  const optionsOf = async (kind: Kind) => [...all.labelsIn(await api.fields(kind))]
  const each = async (id: string | null, act: (kind: Kind, option: string) => Promise<Sent>): Promise<Sent> => {
    const options = id?.split('-') ?? []
    let last: Sent | null = null
    for (const [at, kind] of kinds.entries()) {
      const sent = await act(kind, options[at] ?? '')
      api.forgetFields(kind)
      if (sent.result === 'refused' && sent.status !== 404) return sent
      last = sent
    }
    return last as Sent
  }
  return {
    entity: all.tag,
    async all() {
      for (const kind of kinds) api.forgetFields(kind)
      const [people, companies] = [await optionsOf('persons'), await optionsOf('organizations')]
      return people.flatMap(([id, text]) => {
        const other = companies.find(([, name]) => isSame(name, text))
        return other ? [{ id: `${id}-${other[0]}`, label: text }] : []
      })
    },
    async save(id, { label: text }) {
      const made: string[] = []
      const sent = await each(id, async (kind, option) => {
        const there = (await optionsOf(kind)).find(([, name]) => isSame(name, text))
        if (option === '' && there) {
          made.push(there[0])
          return { result: 'done', status: 200, headers: {}, json: null }
        }
        const json = [{ ...(option !== '' && { id: Number(option) }), label: text }]
        const answer = await api.http.send(option === '' ? 'POST' : 'PATCH', pathOf(kind), { json })
        const [first] = answer.result === 'done' ? (dataIn(answer.json) as RawRecord[]) : []
        made.push(option || String(first?.id))
        return answer
      })
      return { sent, id: made.join('-') }
    },
    isUsed: async () => false,
    remove: (id) =>
      each(id, (kind, option) => api.http.send('DELETE', pathOf(kind), { json: [{ id: Number(option) }] })),
  }
}

/** One that was there is matched. One that we were about to make when the answer was lost is known by its note. */
export function writeNamed(
  name: string,
  list: NamedList,
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  return writeEach(records, async (record) => {
    const { key, destinationId } = record
    const kind = `${kindPrefix}${name}`
    const body = writeRecord(list.entity, record, { isWhole: true })
    const words = name === 'tags' ? 'label' : 'name'
    const there = (await list.all()).find(
      (raw) => isSame(raw[words], body[words]) && (name !== 'stages' || raw.pipeline_id === body.pipeline_id),
    )
    if (destinationId === null && there) {
      const isOurs = (await sides?.list(kind))?.some(({ mark }) => mark === key)
      if (!isOurs) return { key, result: 'matched', destinationId: String(there.id), url: null }
    }
    const known = destinationId ?? (there ? String(there.id) : null)
    const note = { kind, mark: key, destinationId: null, version: null }
    if (known === null) await sides?.note(note)
    const { sent, id } = await list.save(known, body)
    if (sent.result === 'refused') {
      if (known === null) await sides?.forget(note)
      return refused(key, sent.code, sent.message)
    }
    // The note stays: after a crash, the next worker knows by it that this record is ours.
    if (known === null) await sides?.note({ ...note, destinationId: id })
    return { key, result: 'written', destinationId: known ?? id, url: null, version: null }
  })
}

/** At the end of an undo: what was made and never came into the ledger. What people use stays. */
export async function removeNoted(
  lists: Readonly<Record<string, NamedList>>,
  sides: readonly SideRecord[],
): Promise<SideOutcome[]> {
  for (const { kind, mark, destinationId } of sides) {
    const list = lists[kind.replace(kindPrefix, '')]
    if (list && destinationId !== null) {
      await removeNamed(list, [{ key: mark, destinationId, version: null, parent: null }])
    }
  }
  return sides.map(({ kind, mark }) => ({ kind, mark, result: 'removed' }))
}

export const removeNamed = (list: NamedList, records: readonly RemovableRecord[]): Promise<RemoveOutcome[]> =>
  removeRecords<RawRecord>(
    {
      label,
      byIds: async (ids) => (await list.all()).filter(({ id }) => ids.includes(String(id))),
      versionOf: () => null,
      findNeed: async ({ id }) => ((await list.isUsed(String(id))) ? 'Deals of this account use it.' : null),
      async send(some) {
        const answers: Sent[] = []
        for (const { destinationId } of some) answers.push(await list.remove(destinationId))
        return answers
      },
    },
    records,
  )
