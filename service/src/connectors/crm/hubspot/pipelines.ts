import Type from 'typebox'
import type { WriteLoss } from '../../../warnings/codes.ts'
import type {
  OutgoingContent,
  SentRelation,
  SideOutcome,
  SideRecord,
  SideRecords,
  StoredContent,
} from '../../contract/contract.ts'
import { storedPart } from '../../kit/found-parts.ts'
import { checkShape } from '../../kit/http.ts'
import type { RawRecord } from '../../kit/lens.ts'
import type { NamedList } from '../../kit/named-lists.ts'
import { oddIn, withOdd } from '../../kit/odd-places.ts'
import { refusalsOf } from '../../kit/outcomes.ts'
import { byKey } from '../../kit/pages.ts'
import { idsIn } from '../../kit/records-in.ts'
import { sideBySide } from '../../kit/side-by-side.ts'
import { thatHold } from '../../kit/that-hold.ts'
import { type HubspotApi, largestPage, type Pipeline, label as tool } from './api.ts'
import { outcomeOf } from './entities.ts'

// Deal pipelines and their stages.

const toPipelineRecord = ({ id, label, displayOrder, ...rest }: Pipeline): RawRecord =>
  withOdd({ id, label, displayOrder }, oddIn(rest))
const toStageRecords = ({ id: pipelineId, stages }: Pipeline): RawRecord[] =>
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
/** HubSpot accepts no pipeline without a stage. This stage holds the place until our first stage replaces it. */
const placeholder = '-'

interface Wanted {
  label: string
  displayOrder: number
  pipelineId: string
  metadata: { probability: string }
  /** The percentage that an open stage has in the source. */
  asked: number | null
}
type SentStage = Pick<Wanted, 'label' | 'displayOrder' | 'metadata'>

/** HubSpot's form of a stage. Probability 1 means won and 0 means lost; an open stage has a value between them. */
function toStage({ fields }: OutgoingContent, first: string): Wanted {
  const { name, position, probability, outcome, pipeline } = fields
  const open = typeof probability === 'number' ? Math.min(99, Math.max(1, probability)) / 100 : 0.5
  const chance = outcome === 'won' ? '1.0' : outcome === 'lost' ? '0.0' : String(open)
  return {
    label: String(name ?? ''),
    displayOrder: typeof position === 'number' ? position : 0,
    pipelineId: (pipeline as SentRelation | null | undefined)?.destinationId ?? first,
    metadata: { probability: chance },
    asked: outcome !== 'won' && outcome !== 'lost' && typeof probability === 'number' ? probability : null,
  }
}
const isAdjusted = (percent: number | null, asked: number | null) =>
  percent !== null && asked !== null && percent !== asked
const percentOf = ({ metadata }: SentStage) => Math.round(Number(metadata.probability) * 100)

export async function pipelineAsStored(
  api: HubspotApi,
  entity: string,
  content: OutgoingContent,
): Promise<StoredContent> {
  const [first] = entity === 'stages' ? await api.pipelines('deals') : []
  const { label, displayOrder, pipelineId, metadata } = toStage(content, first?.id ?? '')
  const stage = {
    pipeline: pipelineId,
    probability: percentOf({ label, displayOrder, metadata }),
    outcome: outcomeOf(metadata),
  }
  const fields = { name: label, position: displayOrder, ...(entity === 'stages' && stage) }
  return storedPart(fields)
}

/** The loss that follows from the content of a stage. */
export function stageLosses(content: OutgoingContent): WriteLoss[] {
  const wanted = toStage(content, '')
  return thatHold([isAdjusted(percentOf(wanted), wanted.asked), 'probability_adjusted'])
}

const pipelineStored = (
  entity: string,
  { label, displayOrder, pipelineId, chance, outcome }: RawRecord,
): StoredContent =>
  storedPart({
    ...{ name: label, position: displayOrder },
    ...(entity === 'stages' && { pipeline: pipelineId, probability: chance, outcome }),
  })

export async function recordsOf(api: HubspotApi, entity: string): Promise<RawRecord[]> {
  const all = await api.pipelines('deals')
  return entity === 'pipelines' ? all.map(toPipelineRecord) : all.flatMap(toStageRecords)
}

const { accepted } = refusalsOf(tool, [])
const idIn = (json: unknown) => checkShape(tool, Type.Object({ id: Type.String() }), json, path).id

interface Saved {
  id: string
  percent: number | null
}

/** Pipelines and stages are found by name, because HubSpot has no property for our key here. */
export function openPipelines(api: HubspotApi, entity: 'pipelines' | 'stages'): NamedList {
  const isStage = entity === 'stages'
  /** Makes an item and returns its id, with the percentage of a stage. */
  const make = async ({ pipelineId, label, displayOrder, metadata }: Wanted): Promise<Saved> => {
    if (!isStage) {
      const first = { label: placeholder, displayOrder: 0, metadata: { probability: '0.5' } }
      const sent = await api.http.send('POST', path, { json: { label, displayOrder, stages: [first] } })
      return { id: idIn(accepted(sent)), percent: null }
    }
    const stage = { label, displayOrder, metadata }
    const pipeline = (await api.pipelines('deals')).find(({ id }) => id === pipelineId)
    const free = pipeline?.stages.find((one) => one.label === placeholder)
    if (free) return change(`${pipelineId}/${free.id}`, stage)
    const { json, percent } = await sendStage('POST', `${pathOf(pipelineId)}/stages`, stage)
    return { id: `${pipelineId}/${idIn(json)}`, percent }
  }
  /** HubSpot describes the probability of a stage in tenths. If it refuses another one, the nearest tenth is sent. */
  const sendStage = async (method: 'POST' | 'PATCH', to: string, stage: SentStage) => {
    const sent = await api.http.send(method, to, { json: stage })
    const tenths = Math.min(9, Math.max(1, Math.round(Number(stage.metadata.probability) * 10)))
    const rounded = { ...stage, metadata: { probability: String(tenths / 10) } }
    const isOpen = outcomeOf(stage.metadata) === 'open' && rounded.metadata.probability !== stage.metadata.probability
    if (sent.status !== 400 || !isOpen) return { json: accepted(sent), percent: percentOf(stage) }
    return { json: accepted(await api.http.send(method, to, { json: rounded })), percent: percentOf(rounded) }
  }
  const change = async (id: string, { label, displayOrder, metadata }: SentStage): Promise<Saved> => {
    if (isStage) return { id, ...(await sendStage('PATCH', pathOf(id), { label, displayOrder, metadata })) }
    accepted(await api.http.send('PATCH', pathOf(id), { json: { label, displayOrder } }))
    return { id, percent: null }
  }
  return {
    kind: isStage ? 'deal_stages' : 'deal_pipelines',
    all: () => recordsOf(api, entity),
    toBody: async (record) => ({ ...toStage(record, (await api.pipelines('deals'))[0]?.id ?? '') }),
    placeOf: ({ label, pipelineId }) => (isStage ? [label, pipelineId] : [label]),
    save: async (id, body) => {
      const wanted = body as unknown as Wanted
      const { id: saved, percent } = id === null ? await make(wanted) : await change(id, wanted)
      return { raw: { id: saved }, losses: thatHold([isAdjusted(percent, wanted.asked), 'probability_adjusted']) }
    },
    toFound: (raw) => ({ ...pipelineStored(entity, raw), url: null, version: null }),
    findNeed: async ({ id }) => ((await isUsed(api, String(id))) ? usedByDeals : null),
    /** HubSpot keeps the last stage of a pipeline, so that stage becomes the placeholder. */
    async remove(id) {
      const pipeline = (await api.pipelines('deals')).find((one) => one.id === id.split('/')[0])
      return isStage && pipeline?.stages.length === 1
        ? api.http.send('PATCH', pathOf(id), { json: { label: placeholder } })
        : api.http.send('DELETE', pathOf(id))
    },
  }
}

const usedByDeals = 'Deals of this account use it.'
const closed = {
  won: { labels: ['Won', 'Closed won'], displayOrder: 1_000, probability: '1.0' },
  lost: { labels: ['Lost', 'Closed lost'], displayOrder: 1_001, probability: '0.0' },
}

const closedStages = 'closed_stages'

/** Adds the stage for won or lost deals to a pipeline. HubSpot refuses a stage that another request has just made. */
export async function makeClosedStage(
  api: HubspotApi,
  { id, stages }: Pipeline,
  status: 'won' | 'lost',
  sides: SideRecords | undefined,
): Promise<void> {
  const { labels, displayOrder, probability } = closed[status]
  const label = labels.find((one) => !stages.some((stage) => stage.label.toLowerCase() === one.toLowerCase()))
  const json = { label, displayOrder, metadata: { probability } }
  const note = { kind: closedStages, mark: `${id}/${status}`, destinationId: null, version: label ?? null }
  await sides?.note(note)
  const sent = await api.http.send('POST', `${pathOf(id)}/stages`, { json })
  if (sent.result === 'done') await sides?.note({ ...note, destinationId: `${id}/${idIn(sent.json)}` })
}

/** Removes the stages that we added for won and lost deals, unless people renamed or use them. Other notes are dropped. */
export async function removeClosedStages(api: HubspotApi, notes: readonly SideRecord[]): Promise<SideOutcome[]> {
  return sideBySide(notes, 1, async ({ kind, mark, destinationId, version }): Promise<SideOutcome> => {
    const gone = { kind, mark, result: 'removed' } as const
    if (kind !== closedStages) return gone
    const [pipelineId, status] = mark.split('/')
    const outcome = status === 'won' ? 'won' : 'lost'
    const pipeline = (await api.pipelines('deals')).find(({ id }) => id === pipelineId)
    const stage = pipeline?.stages.find(({ id, label, metadata }) =>
      destinationId === null
        ? label === version && outcomeOf(metadata) === outcome
        : destinationId === `${pipelineId}/${id}`,
    )
    if (!stage) return gone
    const id = `${pipelineId}/${stage.id}`
    const keep = (message: string): SideOutcome => {
      return { kind, mark, result: 'kept', destinationId: id, url: null, message }
    }
    if (stage.label !== version) return keep('People renamed it.')
    if (await isUsed(api, id)) return keep(usedByDeals)
    const sent = await api.http.send('DELETE', pathOf(id))
    return sent.result === 'done' || sent.status === 404 ? gone : keep(`HubSpot does not delete it: ${sent.message}`)
  })
}

/**
 * HubSpot would delete a stage that still has deals. The search can still list deals that were just deleted, which may
 * fill its first pages.
 */
async function isUsed(api: HubspotApi, id: string): Promise<boolean> {
  const [pipeline = '', stage] = id.split('/')
  const [name, value] = stage === undefined ? (['pipeline', pipeline] as const) : (['dealstage', stage] as const)
  const walk = byKey(
    (after, size) => api.search('deals', [], [{ propertyName: name, operator: 'EQ', value }], after, size),
    (deal) => deal.id,
  )
  for (let cursor: string | null = null; ; ) {
    const { items, next }: Awaited<ReturnType<typeof walk>> = await walk(cursor, largestPage)
    const there = await api.byIds('deals', [name], idsIn(items))
    if (there.some(({ properties }) => properties[name] === value)) return true
    if (next === null) return false
    cursor = next
  }
}
