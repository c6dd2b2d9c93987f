import { answer, refuse, type TwinRequest } from '../answers.ts'
import type { Operation } from '../tool-twin.ts'
import { type Account, errorOf, found, notFound, type Pipeline, type Stage, wrong } from './account.ts'
import { shapes } from './shapes.ts'

type Given = { label: string; displayOrder: number; metadata?: Record<string, string> }

/** The pipelines that every account begins with. */
export function createPipelines({ pipelines, now }: Account): void {
  const times = { createdAt: now(), updatedAt: now() }
  const make = (id: string, label: string, stages: [string, string, Record<string, string>][]): Pipeline => ({
    id,
    label,
    displayOrder: 0,
    stages: stages.map(([stageId, stageLabel, metadata], displayOrder) => ({
      id: stageId,
      label: stageLabel,
      displayOrder,
      metadata,
      ...times,
    })),
    ...times,
  })
  const at = (probability: string, isClosed = 'false') => ({ probability, isClosed })
  pipelines.deals.push(
    make('default', 'Sales Pipeline', [
      ['appointmentscheduled', 'Appointment Scheduled', at('0.2')],
      ['qualifiedtobuy', 'Qualified To Buy', at('0.4')],
      ['contractsent', 'Contract Sent', at('0.9')],
      ['closedwon', 'Closed Won', at('1.0', 'true')],
      ['closedlost', 'Closed Lost', at('0.0', 'true')],
    ]),
  )
  const state = (ticketState: string) => ({ ticketState, isClosed: String(ticketState === 'CLOSED') })
  pipelines.tickets.push(
    make('0', 'Support Pipeline', [
      ['1', 'New', state('OPEN')],
      ['2', 'Waiting on contact', state('OPEN')],
      ['3', 'Waiting on us', state('OPEN')],
      ['4', 'Closed', state('CLOSED')],
    ]),
  )
}

export function pipelineOperations(account: Account): Operation[] {
  const { pipelines, nextId, now } = account
  const kindIn = ({ params }: TwinRequest): 'deals' | 'tickets' =>
    params.kind === 'deals' || params.kind === 'tickets' ? params.kind : notFound()
  const find = (request: TwinRequest): Pipeline =>
    found(pipelines[kindIn(request)].find(({ id }) => id === request.params.id))
  const findStage = (request: TwinRequest): Stage =>
    found(find(request).stages.find(({ id }) => id === request.params.stageId))
  const presentStage = (stage: Stage) => ({
    ...stage,
    archived: false,
    writePermissions: 'CRM_PERMISSIONS_ENFORCEMENT',
  })
  const present = (pipeline: Pipeline) => ({ ...pipeline, archived: false, stages: pipeline.stages.map(presentStage) })
  /** Stages of deals have a probability; stages of tickets are open or closed. */
  const makeStage = (kind: 'deals' | 'tickets', { label, displayOrder, metadata = {} }: Given): Stage => {
    const { probability, ticketState } = metadata
    if (kind === 'deals' && !(Number(probability) >= 0 && Number(probability) <= 1))
      wrong('metadata.probability must be between 0.0 and 1.0')
    if (kind === 'tickets' && ticketState !== undefined && !['OPEN', 'CLOSED'].includes(ticketState))
      wrong('metadata.ticketState must be OPEN or CLOSED')
    const isClosed =
      kind === 'deals' ? ['0.0', '1.0', '0', '1'].includes(String(probability)) : ticketState === 'CLOSED'
    const times = { createdAt: now(), updatedAt: now() }
    return { id: nextId(), label, displayOrder, metadata: { ...metadata, isClosed: String(isClosed) }, ...times }
  }
  const stageName = { deals: 'dealstage', tickets: 'hs_pipeline_stage' }
  const isUsed = (kind: 'deals' | 'tickets', stage: Stage) =>
    account.things[kind].list(({ properties }) => properties[stageName[kind]] === stage.id).length > 0
  return [
    { ...shapes.pipelines, act: (request) => answer(200, { results: pipelines[kindIn(request)].map(present) }) },
    { ...shapes.pipeline, act: (request) => answer(200, present(find(request))) },
    {
      ...shapes.makePipeline,
      act(request) {
        const kind = kindIn(request)
        const { label, displayOrder, stages } = request.json
        if (pipelines[kind].some((one) => one.label === label))
          refuse(409, errorOf('CONFLICT', `A pipeline with the label ${label} already exists`))
        if (stages.length === 0) wrong('A pipeline needs a stage')
        const times = { createdAt: now(), updatedAt: now() }
        const made = {
          id: nextId(),
          label,
          displayOrder,
          stages: stages.map((one: Given) => makeStage(kind, one)),
          ...times,
        }
        pipelines[kind].push(made)
        return answer(201, present(made))
      },
    },
    {
      ...shapes.changePipeline,
      act(request) {
        const { archived: _archived, ...given } = request.json
        return answer(200, present(Object.assign(find(request), given, { updatedAt: now() })))
      },
    },
    {
      ...shapes.removePipeline,
      act(request) {
        const kind = kindIn(request)
        const pipeline = find(request)
        const isAsked = request.query.get('validateReferencesBeforeDelete') === 'true'
        if (isAsked && pipeline.stages.some((stage) => isUsed(kind, stage))) wrong('The pipeline is in use')
        if (pipelines[kind].length === 1) wrong('The last pipeline cannot be deleted')
        pipelines[kind].splice(pipelines[kind].indexOf(pipeline), 1)
        return answer(204)
      },
    },
    { ...shapes.stages, act: (request) => answer(200, { results: find(request).stages.map(presentStage) }) },
    {
      ...shapes.makeStage,
      act(request) {
        const stage = makeStage(kindIn(request), request.json)
        const { stages } = find(request)
        if (stages.some(({ label }) => label === stage.label))
          refuse(409, errorOf('CONFLICT', `A stage with the label ${stage.label} already exists`))
        stages.push(stage)
        return answer(201, presentStage(stage))
      },
    },
    {
      ...shapes.changeStage,
      act(request) {
        const { archived: _archived, ...given } = request.json
        return answer(200, presentStage(Object.assign(findStage(request), given, { updatedAt: now() })))
      },
    },
    {
      ...shapes.removeStage,
      act(request) {
        const stage = findStage(request)
        if (isUsed(kindIn(request), stage)) wrong('The stage is in use')
        const { stages } = find(request)
        stages.splice(stages.indexOf(stage), 1)
        return answer(204)
      },
    },
  ]
}
