import type {
  OutgoingContent,
  OutgoingRecord,
  RemovableRecord,
  RemoveOutcome,
  SentRelation,
  SideRecords,
  StoredContent,
  WriteOutcome,
} from '../../contract/contract.ts'
import type { RawRecord } from '../../kit/lens.ts'
import { writeEach } from '../../kit/write-each.ts'
import { type HubspotApi, largestPage, type Pipeline, type Stage } from './api.ts'
import { outcomeOf } from './entities.ts'

// Pipelines of deals and their stages. They have no place for a key: one of the same name is used as it is.

export const toPipelineRecord = ({ id, label, displayOrder }: Pipeline): RawRecord => ({ id, label, displayOrder })
export const toStageRecords = ({ id: pipelineId, stages }: Pipeline): RawRecord[] =>
  stages.map(({ id, label, displayOrder, metadata }) => ({
    id: `${pipelineId}/${id}`,
    pipelineId,
    label,
    displayOrder,
    chance: Math.round(Number(metadata?.probability ?? 0) * 100),
    outcome: outcomeOf(metadata),
  }))

const path = '/crm/v3/pipelines/deals'
const pathOf = (id: string) => `${path}/${id.split('/').map(encodeURIComponent).join('/stages/')}`
/** HubSpot has no pipeline without a stage. Until the first of ours comes, this one stands there. */
const placeholder = '-'

interface Wanted {
  label: string
  displayOrder: number
  pipelineId: string
  metadata: { probability: string }
}

/** As HubSpot takes it: won is 1 and lost is 0; an open one is neither. */
export function toStage({ fields }: OutgoingContent, first: string): Wanted {
  const { name, position, probability, outcome, pipeline } = fields
  const open = typeof probability === 'number' && probability > 0 && probability < 100 ? probability / 100 : 0.5
  const chance = outcome === 'won' ? '1.0' : outcome === 'lost' ? '0.0' : String(open)
  return {
    label: String(name ?? ''),
    displayOrder: typeof position === 'number' ? position : 0,
    pipelineId: (pipeline as SentRelation | null | undefined)?.destinationId ?? first,
    metadata: { probability: chance },
  }
}

export async function pipelineAsStored(
  api: HubspotApi,
  entity: string,
  content: OutgoingContent,
): Promise<StoredContent> {
  const [first] = entity === 'stages' ? await api.pipelines('deals') : []
  const { label, displayOrder, pipelineId, metadata } = toStage(content, first?.id ?? '')
  const stage = {
    pipeline: pipelineId,
    probability: Math.round(Number(metadata.probability) * 100),
    outcome: outcomeOf(metadata),
  }
  const fields = { name: label, position: displayOrder, ...(entity === 'stages' && stage) }
  return { fields, customFields: {}, createdAt: null, updatedAt: null }
}

export const pipelineStored = (entity: string, raw: RawRecord): StoredContent => ({
  fields: {
    name: raw.label,
    position: raw.displayOrder,
    ...(entity === 'stages' && { pipeline: raw.pipelineId, probability: raw.chance, outcome: raw.outcome }),
  },
  customFields: {},
  createdAt: null,
  updatedAt: null,
})

export async function recordsOf(api: HubspotApi, entity: string): Promise<RawRecord[]> {
  const all = await api.pipelines('deals')
  return entity === 'pipelines' ? all.map(toPipelineRecord) : all.flatMap(toStageRecords)
}

const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()
const idIn = (json: unknown) => String((json as { id?: unknown } | null)?.id ?? '')

/** One that was there is matched. One that we were about to make when the answer was lost is known by its note. */
export function writePipelines(
  api: HubspotApi,
  entity: 'pipelines' | 'stages',
  records: readonly OutgoingRecord[],
  sides: SideRecords | undefined,
): Promise<WriteOutcome[]> {
  const kind = entity === 'pipelines' ? 'deal_pipelines' : 'deal_stages'
  return writeEach(records, async (record) => {
    const { key, destinationId } = record
    const all = await api.pipelines('deals')
    const { pipelineId, ...stage } = toStage(record, all[0]?.id ?? '')
    const { label, displayOrder } = stage
    const pipeline = all.find(({ id }) => id === pipelineId)
    const inside: readonly (Pipeline | Stage)[] = entity === 'pipelines' ? all : (pipeline?.stages ?? [])
    const toId = (id: string) => (entity === 'pipelines' ? id : `${pipelineId}/${id}`)
    const there = inside.find((one) => isSame(one.label, label))
    const note = { kind, mark: key, destinationId: null, version: null }
    if (destinationId === null && there) {
      const isOurs = (await sides?.list(kind))?.some(({ mark }) => mark === key)
      if (!isOurs) return { key, result: 'matched', destinationId: toId(there.id), url: null }
    }
    const free = entity === 'stages' ? inside.find((one) => one.label === placeholder) : undefined
    const existing = destinationId ?? (there && toId(there.id)) ?? (free && toId(free.id)) ?? null
    const body = entity === 'stages' ? stage : { label, displayOrder }
    const first = { label: placeholder, displayOrder: 0, metadata: { probability: '0.5' } }
    await sides?.note(note)
    const sent =
      existing !== null
        ? await api.http.send('PATCH', pathOf(existing), { json: body })
        : entity === 'stages'
          ? await api.http.send('POST', `${pathOf(pipelineId)}/stages`, { json: body })
          : await api.http.send('POST', path, { json: { ...body, stages: [first] } })
    await sides?.forget(note)
    if (sent.result === 'refused') return { key, result: 'refused', code: sent.code, message: sent.message }
    return { key, result: 'written', destinationId: existing ?? toId(idIn(sent.json)), url: null, version: null }
  })
}

/** The last stage of a pipeline cannot be deleted: it becomes the one that stands for none. */
export async function removePipelines(
  api: HubspotApi,
  entity: 'pipelines' | 'stages',
  records: readonly RemovableRecord[],
): Promise<RemoveOutcome[]> {
  const outcomes: RemoveOutcome[] = []
  for (const { key, destinationId } of records) {
    const all = await api.pipelines('deals')
    const [pipelineId, stageId] = destinationId.split('/')
    const pipeline = all.find(({ id }) => id === pipelineId)
    const stage = pipeline?.stages.find(({ id }) => id === stageId)
    if (!pipeline || (entity === 'stages' && !stage)) {
      outcomes.push({ key, result: 'missing' })
      continue
    }
    if (await isUsed(api, pipeline.id, stageId)) {
      outcomes.push({ key, result: 'kept', message: 'Deals of this account use it.' })
      continue
    }
    const isLast = entity === 'stages' && pipeline.stages.length === 1
    const sent = isLast
      ? await api.http.send('PATCH', pathOf(destinationId), { json: { label: placeholder } })
      : await api.http.send('DELETE', pathOf(destinationId))
    if (sent.result === 'done') outcomes.push({ key, result: 'removed' })
    else outcomes.push({ key, result: 'kept', message: `HubSpot does not delete it: ${sent.message}` })
  }
  return outcomes
}

/** HubSpot deletes stages that deals are in. The search may still show deals that are gone. */
async function isUsed(api: HubspotApi, pipeline: string, stage: string | undefined): Promise<boolean> {
  const [name, value] = stage === undefined ? (['pipeline', pipeline] as const) : (['dealstage', stage] as const)
  const { items } = await api.search('deals', [], [{ propertyName: name, operator: 'EQ', value }], null, largestPage)
  const ids = items.map(({ id }) => id)
  return (await api.byIds('deals', [name], ids)).some(({ properties }) => properties[name] === value)
}
