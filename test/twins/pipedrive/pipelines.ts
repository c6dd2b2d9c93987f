import {
  type Account,
  type Body,
  find,
  findLive,
  invalid,
  isLive,
  notFound,
  ok,
  refused,
  type Thing,
} from './account.ts'
import { list, number, operation, type Priced, paging, sift, sorting, v2 } from './lists.ts'
import { pipeline, stage, stageChange } from './shapes.ts'

const present = ({ id, body, deletedAt }: Thing) => ({ id: Number(id), ...body, is_deleted: deletedAt !== null })

const nameOf = (given: Body, known: Body = {}): string => {
  const name = String(given.name ?? known.name ?? '')
  return name.trim() === '' ? invalid('name: Parameter name is required') : name
}

const stamps = ({ now }: Account) => ({ add_time: now(), update_time: now() })

export function makePipeline(account: Account, given: Body): Thing {
  const body = {
    is_deal_probability_enabled: false,
    ...given,
    name: nameOf(given),
    // A new stage comes last.
    order_nr: account.pipelines.list(isLive).length + 1,
    is_selected: false,
    ...stamps(account),
  }
  return account.pipelines.put({ id: account.nextId('pipelines'), body, custom: {}, deletedAt: null })
}

export function makeStage(account: Account, given: Body): Thing {
  const { stages, pipelines } = account
  const parent = pipelines.get(String(given.pipeline_id))
  if (!parent || !isLive(parent)) refused(400, `pipeline_id: ${given.pipeline_id} does not exist`)
  const { deal_probability = 100 } = given as { deal_probability?: number }
  if (deal_probability < 0 || deal_probability > 100) invalid('deal_probability: must be between 0 and 100')
  const body = {
    is_deal_rot_enabled: false,
    days_to_rotten: null,
    ...given,
    deal_probability,
    name: nameOf(given),
    order_nr: stages.list((one) => isLive(one) && one.body.pipeline_id === given.pipeline_id).length + 1,
    add_time: account.now(),
    // The value is null until somebody changes the record.
    update_time: null,
  }
  return stages.put({ id: account.nextId('stages'), body, custom: {}, deletedAt: null })
}

export function pipelineOperations(account: Account): Priced[] {
  const { pipelines, stages, deals, clock } = account
  const remove = (store: typeof stages, name: string, id: string | undefined) => {
    const thing = findLive(store, id, name)
    store.change(thing.id, { deletedAt: clock.now() })
    return ok({ id: Number(thing.id) })
  }
  const changed = (store: typeof stages, name: string, id: string | undefined, given: Body) => {
    const known = findLive(store, id, name)
    const body = { ...known.body, ...given, name: nameOf(given, known.body), update_time: account.now() }
    return ok(present(store.change(known.id, { body }) ?? known))
  }
  const isUsed = (name: string, id: string | undefined) =>
    deals.list((deal) => isLive(deal) && String(deal.body[name]) === id).length > 0
  return [
    operation(5, 'GET', `${v2}/pipelines`, (request) => list(pipelines.list(isLive), request, present), {
      query: { ...sorting('id', 'update_time', 'add_time'), ...paging },
    }),
    operation(5, 'POST', `${v2}/pipelines`, ({ json }) => ok(present(makePipeline(account, json))), { json: pipeline }),
    operation(1, 'GET', `${v2}/pipelines/:id`, ({ params }) =>
      ok(present(find(account, pipelines, params.id, 'Pipeline'))),
    ),
    operation(
      5,
      'PATCH',
      `${v2}/pipelines/:id`,
      ({ params, json }) => changed(pipelines, 'Pipeline', params.id, json),
      { json: pipeline },
    ),
    operation(3, 'DELETE', `${v2}/pipelines/:id`, ({ params }) => {
      if (isUsed('pipeline_id', params.id)) refused(400, 'The pipeline has deals')
      return remove(pipelines, 'Pipeline', params.id)
    }),
    operation(
      5,
      'GET',
      `${v2}/stages`,
      (request) => {
        const { query } = request
        const parent = query.get('pipeline_id')
        if (parent !== null && !pipelines.get(parent)) notFound('Pipeline')
        return list(sift(stages.list(isLive), query, ['pipeline_id']), request, present)
      },
      { query: { pipeline_id: number, ...sorting('id', 'update_time', 'add_time', 'order_nr'), ...paging } },
    ),
    operation(5, 'POST', `${v2}/stages`, ({ json }) => ok(present(makeStage(account, json))), { json: stage }),
    operation(1, 'GET', `${v2}/stages/:id`, ({ params }) => ok(present(find(account, stages, params.id, 'Stage')))),
    operation(5, 'PATCH', `${v2}/stages/:id`, ({ params, json }) => changed(stages, 'Stage', params.id, json), {
      json: stageChange,
    }),
    operation(3, 'DELETE', `${v2}/stages/:id`, ({ params }) => {
      if (isUsed('stage_id', params.id)) refused(400, 'The stage has deals')
      return remove(stages, 'Stage', params.id)
    }),
  ]
}
