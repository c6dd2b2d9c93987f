import type { OutgoingRecord } from '../../contract/contract.ts'
import type { Entity } from '../../kit/entity.ts'
import type { Sent } from '../../kit/http.ts'
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

export function openLists(api: PipedriveApi): Record<string, PipedriveList> {
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
    tags: labels(api),
  }
}

const kinds: readonly Kind[] = ['persons', 'organizations']

/** Writes tags. A tag is a label of people and a label of organizations; its id holds both ids. */
function labels(api: PipedriveApi): PipedriveList {
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
    ...listOf(all.tag, 'tags'),
    placeOf: ({ label }) => [label],
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
      accepted(sent)
      return { raw: { id: made.join('-'), label: text } }
    },
    findNeed: async () => null,
    remove: (id) =>
      each(id, (kind, option) => api.http.send('DELETE', pathOf(kind), { json: [{ id: Number(option) }] })),
  }
}
