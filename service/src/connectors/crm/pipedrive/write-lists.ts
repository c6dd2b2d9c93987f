import type { OutgoingRecord, SideRecord, SideRecords } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import type { Sent } from '../../kit/http.ts'
import { digestOf } from '../../kit/keys.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { NamedList } from '../../kit/named-lists.ts'
import { refusalsOf } from '../../kit/outcomes.ts'
import { readAll } from '../../kit/pages.ts'
import { toStored, writeRecord } from '../../kit/write-record.ts'
import { dataIn, type Kind, label, largestPage, type PipedriveApi, recordIn } from './api.ts'
import * as all from './entities.ts'

// Writes labels, pipelines and stages.

export type PipedriveList = NamedList & { entity: Entity }
const { accepted } = refusalsOf(label, [])

const isSame = (one: unknown, other: unknown) => String(one).trim().toLowerCase() === String(other).trim().toLowerCase()

const listOf = (entity: Entity, name: string) => ({
  entity,
  kind: `pipedrive_${name}`,
  toBody: (record: OutgoingRecord) => writeRecord(entity, record, { isWhole: true }),
  toFound: (raw: RawRecord) => ({ ...toStored(label, entity, raw), url: null, version: null }),
})

export function openLists(api: PipedriveApi, sides?: SideRecords): Record<string, PipedriveList> {
  const { http } = api
  const plain = (entity: Entity, name: 'pipelines' | 'stages', filter: string): PipedriveList => {
    const path = `/api/v2/${name}`
    return {
      ...listOf(entity, name),
      placeOf: ({ name: own, pipeline_id: inside }) => (name === 'stages' ? [own, inside] : [own]),
      all: () => readAll(api.list(path), largestPage),
      async save(id, json) {
        const sent =
          id === null ? await http.send('POST', path, { json }) : await http.send('PATCH', `${path}/${id}`, { json })
        return { raw: recordIn(accepted(sent)) }
      },
      findNeed: async ({ id }) => {
        for (const list of ['/api/v2/deals', '/api/v2/deals/archived']) {
          const { items } = await api.list(list, { [filter]: id })(null, 1)
          if (items.length > 0) return 'Deals of this account use it.'
        }
        return null
      },
      remove: (id) => http.send('DELETE', `${path}/${id}`),
    }
  }
  return {
    pipelines: plain(all.pipelines, 'pipelines', 'pipeline_id'),
    stages: plain(all.stages, 'stages', 'stage_id'),
    tags: labels(api, sides),
  }
}

const kinds: readonly Kind[] = ['persons', 'organizations']
/** Notes which of the two labels of a tag people had before. */
const halves = 'pipedrive_label_halves'

/**
 * Writes tags. A tag is a label of people and a label of organizations; its id holds both ids. If people have only one of
 * the two, the other one is added to it, and theirs is neither renamed nor removed.
 */
function labels(api: PipedriveApi, sides: SideRecords | undefined): PipedriveList {
  const pathOf = (kind: Kind) => `${api.fieldsPath(kind)}/${all.labelCode}/options`
  const optionsOf = async (kind: Kind) => [...all.labelsIn(await api.fields(kind))]
  const sent = async (kind: Kind, method: 'POST' | 'PATCH' | 'DELETE', json: object): Promise<Sent> => {
    const answer = await api.http.send(method, pathOf(kind), { json: [json] })
    api.forgetFields(kind)
    return answer
  }
  const markOf = (text: unknown) => digestOf(String(text).trim().toLowerCase())
  /** Until Pipedrive has answered, the note holds the tag's name, not its id. */
  const noteOf = async (id: string | null, text: unknown) =>
    (await sides?.list(halves))?.find(({ mark, destinationId }) =>
      destinationId === null ? mark === markOf(text) : destinationId === id,
    )
  /** Changes the labels of a tag that are ours. A label that is gone is no fault. */
  const each = async (id: string, act: (kind: Kind, option: number) => Promise<Sent>): Promise<Sent> => {
    const ids = id.split('-')
    const there = await Promise.all(
      kinds.map(async (kind, at) => (await optionsOf(kind)).find(([option]) => option === ids[at])),
    )
    const [, text = ''] = there.find((one) => one !== undefined) ?? []
    const theirs = (await noteOf(id, text))?.version?.split(' ') ?? []
    let last: Sent = { result: 'done', status: 200, headers: {}, json: null }
    for (const [at, kind] of kinds.entries()) {
      if (theirs.includes(kind)) continue
      last = await act(kind, Number(ids[at]))
      if (last.result === 'refused' && last.status !== 404) return last
    }
    return last
  }
  const make = async (text: unknown): Promise<string> => {
    const there = await Promise.all(
      kinds.map(async (kind) => (await optionsOf(kind)).find(([, name]) => isSame(name, text))?.[0]),
    )
    const theirs = kinds.filter((_, at) => there[at] !== undefined).join(' ')
    const first: SideRecord = { kind: halves, mark: markOf(text), destinationId: null, version: theirs || null }
    // After a crash, a label of ours may be there: the first note holds.
    const note = (await noteOf(null, text)) ?? first
    await sides?.note(note)
    const made: string[] = []
    for (const [at, kind] of kinds.entries()) {
      const known = there[at]
      const json = known === undefined ? accepted(await sent(kind, 'POST', { label: text })) : null
      made.push(known ?? String((dataIn(json) as RawRecord[])[0]?.id))
    }
    const id = made.join('-')
    await sides?.note({ ...note, destinationId: id })
    return id
  }
  return {
    ...listOf(all.tag, 'tags'),
    placeOf: ({ label }) => [label],
    async all() {
      for (const kind of kinds) api.forgetFields(kind)
      const [people, companies] = [await optionsOf('persons'), await optionsOf('organizations')]
      const pairs = people.flatMap(([id, text]) => {
        const other = companies.find(([, name]) => isSame(name, text))
        return other ? [{ id: `${id}-${other[0]}`, label: text }] : []
      })
      // A tag that was renamed has only one label of its new name, if the other one is not ours.
      const renamed = ((await sides?.list(halves)) ?? []).flatMap(({ destinationId: id, version }) => {
        const [person, company] = [people, companies].map((some, at) =>
          some.find(([own]) => own === id?.split('-')[at]),
        )
        const isPair = pairs.some((pair) => pair.id === id)
        const label = (version === 'persons' ? company : person)?.[1]
        return person && company && !isPair ? [{ id: String(id), label: String(label) }] : []
      })
      return [...pairs, ...renamed]
    },
    async save(id, { label: text }) {
      if (id === null) return { raw: { id: await make(text), label: text } }
      accepted(await each(id, (kind, option) => sent(kind, 'PATCH', { id: option, label: text })))
      return { raw: { id, label: text } }
    },
    findNeed: async () => null,
    remove: (id) => each(id, (kind, option) => sent(kind, 'DELETE', { id: option })),
  }
}
