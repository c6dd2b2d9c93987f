import type { Connector } from '../../../service/src/connectors/contract/contract.ts'
import { credentialsOf, givenValue } from '../../../service/src/connectors/credentials.ts'
import { families, familyDefinitions } from '../../../service/src/families/index.ts'
import type { Twin } from '../twin-contract.ts'

const keys = {
  twin: ['access', 'source', 'destination', 'skips', 'expectNoViolations', 'close'],
  source: ['family', 'entities', 'fields', 'missing', 'inDoubt', 'readsWhole', 'withoutFiles'],
  destination: [
    ...['family', 'fields', 'users', 'editByHand', 'countAll', 'readFile', 'chooseValue', 'spoil', 'refusesFile'],
    'indifferent',
  ],
}

/** Mistakes in what `startTwin` answers, each with its place. They are no mistakes of the connector. */
export function vetTwin(given: unknown, connector: Connector): string[] {
  if (!isObject(given)) return ['startTwin: must answer an object, or a promise of it']
  const problems: string[] = []
  const require = (isFine: boolean, place: string, message: string) => {
    if (!isFine) problems.push(`${place}: ${message}`)
  }
  const requireKnown = (place: string, part: object, known: readonly string[]) => {
    for (const key of Object.keys(part)) require(known.includes(key), `${place}${key}`, 'there is no such field')
  }
  requireKnown('', given, keys.twin)
  require(typeof given.close === 'function', 'close', 'must be a function')
  const { access } = given
  require(isObject(access), 'access', 'must have the credentials of an account')
  for (const role of ['source', 'destination'] as const) {
    if (!connector[role] || !isObject(access)) continue
    for (const { name, isOptional } of credentialsOf(connector, role)) {
      const place = ['instanceUrl', 'username', 'token', 'uploadId'].includes(name) ? name : `more.${name}`
      const value = givenValue({ instanceUrl: null, username: null, token: null, ...access }, name)
      require(isOptional ||
        typeof value === 'string', `access.${place}`, `${role}.requires of the connector asks for it`)
    }
  }
  for (const role of ['source', 'destination'] as const) {
    const side = given[role]
    if (side === undefined) continue
    if (!isObject(side)) {
      problems.push(`${role}: must be an object`)
      continue
    }
    require(connector[role] !== undefined, role, `the connector is no ${role}`)
    requireKnown(`${role}.`, side, keys[role])
    const family = families.find((one) => one === side.family)
    const names = connector.families.join(', ')
    require(connector.families.some((one) => one === side.family), `${role}.family`, `must be one of ${names}`)
    if (family === undefined) continue
    const entities = new Map(familyDefinitions[family].entities.map(({ name, fields }) => [name, Object.keys(fields)]))
    const requireEntity = (entity: unknown, place: string) =>
      require(entities.has(String(entity)), place, `there is no entity ${String(entity)} in the family ${family}`)
    for (const [entity, fields] of Object.entries(isObject(side.fields) ? side.fields : {})) {
      requireEntity(entity, `${role}.fields`)
      require(Array.isArray(fields), `${role}.fields.${entity}`, 'must be a list of fields')
      const odd = listOf(fields).filter((field) => entities.get(entity)?.includes(String(field)) === false)
      for (const field of odd) problems.push(`${role}.fields.${entity}: there is no field ${String(field)}`)
    }
    if (role === 'source') {
      require(Array.isArray(
        side.entities,
      ), 'source.entities', 'must be a list of entities; empty if nothing is read yet')
      for (const entity of listOf(side.entities)) requireEntity(entity, 'source.entities')
      for (const place of ['fields', 'missing'] as const) {
        for (const entity of Object.keys(isObject(side[place]) ? side[place] : {}))
          require(listOf(side.entities).includes(entity), `source.${place}`, `source.entities does not name ${entity}`)
      }
      for (const entity of listOf(side.inDoubt)) {
        const isMissing = isObject(side.missing) && Object.hasOwn(side.missing, String(entity))
        require(isMissing, 'source.inDoubt', `source.missing has no id for ${String(entity)}`)
      }
      continue
    }
    require(Array.isArray(side.users), 'destination.users', 'must be a list of ids of people')
    for (const name of ['editByHand', 'countAll', 'readFile'])
      require(typeof side[name] === 'function', `destination.${name}`, 'must be a function')
    for (const name of Object.keys(isObject(side.indifferent) ? side.indifferent : {})) {
      const [entity = '', field = ''] = name.split('.')
      const isKnown = entities.get(entity)?.includes(field) === true
      require(isKnown, 'destination.indifferent', `${name} is no field; write it as entity.field`)
    }
  }
  return problems
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The same twin, whose own failures are named as such. */
export function blameTwin(twin: Twin, nameOf: (error: unknown) => string): Twin {
  const blame =
    (name: string) =>
    (error: unknown): never => {
      throw new Error(`The twin failed, not the connector: ${name} threw at ${nameOf(error)}`, { cause: error })
    }
  const guard = <A extends unknown[], R>(name: string, act: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      try {
        const answer = act(...args)
        return answer instanceof Promise ? (answer.catch(blame(name)) as R) : answer
      } catch (error) {
        return blame(name)(error)
      }
    }
  }
  const { destination } = twin
  if (!destination) return twin
  const { editByHand, countAll, readFile, chooseValue, spoil, refusesFile } = destination
  return {
    ...twin,
    destination: {
      ...destination,
      editByHand: guard('editByHand', editByHand.bind(destination)),
      readFile: guard('readFile', async (entity: string, id: string) => {
        const bytes: unknown = await readFile.call(destination, entity, id)
        if (!Buffer.isBuffer(bytes)) throw new Error('it must answer a Buffer')
        return bytes
      }),
      countAll: guard('countAll', async () => {
        const count: unknown = await countAll.call(destination)
        if (!Number.isSafeInteger(count)) throw new Error(`it must answer a whole number, not ${String(count)}`)
        return Number(count)
      }),
      ...(chooseValue && { chooseValue: guard('chooseValue', chooseValue.bind(destination)) }),
      ...(spoil && { spoil: guard('spoil', spoil.bind(destination)) }),
      ...(refusesFile && { refusesFile: guard('refusesFile', refusesFile.bind(destination)) }),
    },
  }
}
