import { answer, type TwinAnswer, type TwinRequest } from '../answers.ts'
import type { Around, Operation } from '../tool-twin.ts'
import { type Account, errorOf, found, propertyOf, type Thing, wrong } from './account.ts'
import type { Kind } from './catalog.ts'
import { kindOf } from './links.ts'
import { archiveThing, findThing, historyOf, makeThing, present, refusalOf } from './objects.ts'
import { shapes } from './shapes.ts'
import { mergeThing, putThing } from './values.ts'

interface Input {
  id: string
  idProperty?: string
  properties: Record<string, unknown>
  objectWriteTraceId?: string
}

const most = 100
const mostWithHistory = 50

/** The answer to a batch: 207 if one of its records has failed. */
export function sendBatch(account: Account, status: number, results: unknown[], errors: unknown[] = []): TwinAnswer {
  const at = account.now()
  const times = { startedAt: at, completedAt: at, requestedAt: at }
  const failed = errors.length > 0 && { numErrors: errors.length, errors }
  return answer(errors.length > 0 ? 207 : status, { status: 'COMPLETE', results, ...times, ...failed })
}

export function checkSize(inputs: readonly unknown[], limit = most): void {
  if (inputs.length === 0) wrong('At least one input is required')
  if (inputs.length > limit) wrong(`The maximum batch size is ${limit}, and there were ${inputs.length} inputs`)
}

/**
 * Writes one record after the other. If every input has its own trace, an invalid record does not affect the others.
 * Otherwise the whole batch is refused.
 */
function writeEach(
  account: Account,
  { json }: TwinRequest,
  { each }: Around,
  { status, write }: { status: number; write(input: Input): unknown },
): TwinAnswer {
  const inputs = json.inputs as Input[]
  checkSize(inputs)
  const traces = inputs.flatMap(({ objectWriteTraceId }) => objectWriteTraceId ?? [])
  const isTraced = new Set(traces).size === inputs.length
  if (!isTraced) return writeAll(account, inputs, { status, write, each })
  const results: unknown[] = []
  const errors: unknown[] = []
  each(inputs, (input) => {
    const refused = refusalOf(() => results.push(write(input)))
    if (refused) errors.push(errorFor(refused.json, { objectWriteTraceId: [String(input.objectWriteTraceId)] }))
  })
  return sendBatch(account, status, results, errors)
}

function writeAll(
  account: Account,
  inputs: Input[],
  { status, write, each }: { status: number; write(input: Input): unknown; each: Around['each'] },
): TwinAnswer {
  const before = snapshot(account)
  const results: unknown[] = []
  let refused: ReturnType<typeof refusalOf> = null
  each(inputs, (input) => {
    refused ??= refusalOf(() => results.push(write(input)))
  })
  const told = refused as ReturnType<typeof refusalOf>
  if (!told) return sendBatch(account, status, results)
  before.restore()
  return answer(told.status, told.json)
}

/** Saves the state to which a refused batch returns. */
function snapshot(account: Account) {
  const before = Object.entries(account.things).map(
    ([kind, store]) => [kind, new Map(store.list().map((one) => [one.id, one]))] as const,
  )
  const unique = new Map(account.unique)
  return {
    restore() {
      for (const [kind, known] of before) {
        const store = account.things[kind as Kind]
        for (const { id } of store.list()) if (!known.has(id)) store.remove(id)
        for (const thing of known.values()) if (store.get(thing.id) !== thing) store.put(thing)
      }
      account.unique.clear()
      for (const [key, id] of unique) account.unique.set(key, id)
    },
  }
}

const errorFor = (json: Record<string, unknown>, context: Record<string, string[]>) => ({
  status: 'error',
  category: json.category,
  message: json.message,
  context: { ...(json.context as object), ...context },
  links: {},
  errors: json.errors ?? [],
})

export function batchOperations(account: Account): Operation[] {
  const upsert = (kind: Kind, input: Input) => {
    const { id, idProperty, properties } = input
    if (!idProperty) return wrong('idProperty is required')
    const known = findThing(account, kind, id, idProperty)
    const merged = mergeThing(account, kind, { [idProperty]: id, ...properties }, known)
    const thing = putThing(account, merged)
    return { ...shownOf(kind, thing, [idProperty, ...Object.keys(properties)], input), new: known === undefined }
  }
  const shownOf = (kind: Kind, thing: Thing, names: readonly string[], { objectWriteTraceId }: Input) => ({
    ...present(
      account,
      thing,
      names.filter((name) => propertyOf(account, kind, name)),
    ),
    ...(objectWriteTraceId !== undefined && { objectWriteTraceId }),
  })
  return [
    {
      ...shapes.readMany,
      act({ params, json }) {
        const kind = kindOf(params.kind)
        const inputs = json.inputs as { id: string }[]
        const past = (json.propertiesWithHistory ?? []) as string[]
        checkSize(inputs, past.length > 0 ? mostWithHistory : most)
        const results: unknown[] = []
        const missing: string[] = []
        for (const { id } of inputs) {
          const thing = findThing(account, kind, id, json.idProperty)
          if (thing)
            results.push({
              ...present(account, thing, json.properties),
              ...(past.length > 0 && historyOf(thing, past)),
            })
          else missing.push(id)
        }
        const words = 'Could not get some objects, they may be deleted or not exist. Check that ids are valid.'
        const error = errorFor(errorOf('OBJECT_NOT_FOUND', words), { ids: missing })
        return sendBatch(account, 200, results, missing.length > 0 ? [error] : [])
      },
    },
    {
      ...shapes.makeMany,
      act(request, around) {
        const kind = kindOf(request.params.kind)
        const write = (input: Input) =>
          shownOf(kind, makeThing(account, kind, input), Object.keys(input.properties), input)
        return writeEach(account, request, around, { status: 201, write })
      },
    },
    {
      ...shapes.changeMany,
      act(request, around) {
        const kind = kindOf(request.params.kind)
        const write = (input: Input) => {
          const known = found(findThing(account, kind, input.id, input.idProperty))
          const thing = putThing(account, mergeThing(account, kind, input.properties, known))
          return shownOf(kind, thing, Object.keys(input.properties), input)
        }
        return writeEach(account, request, around, { status: 200, write })
      },
    },
    {
      ...shapes.upsertMany,
      act(request, around) {
        const kind = kindOf(request.params.kind)
        const inputs = request.json.inputs as Input[]
        if (new Set(inputs.map(({ idProperty }) => idProperty)).size > 1) wrong('All inputs must have one idProperty')
        if (new Set(inputs.map(({ id }) => id.toLowerCase())).size < inputs.length)
          wrong('Duplicate IDs found in batch input')
        return writeEach(account, request, around, { status: 200, write: (input) => upsert(kind, input) })
      },
    },
    {
      ...shapes.archiveMany,
      act({ params, json }, { each }) {
        checkSize(json.inputs)
        each(json.inputs as { id: string }[], ({ id }) => archiveThing(account, kindOf(params.kind), id))
        return answer(204)
      },
    },
  ]
}
