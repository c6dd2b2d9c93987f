import { ObstacleError } from '../../../errors.ts'
import { createTurns } from '../../kit/once.ts'
import type { Kind, PipedriveApi } from './api.ts'
import { createdName, filledName, findField, keyName, type Placed } from './custom-values.ts'

type Wanted = Pick<Placed, 'name' | 'type' | 'labels'>

const ownFields = (kind: Kind): Wanted[] => [
  // Fields for our key, for the list of custom fields that we filled in, and for a deal's creation time in the source.
  { name: keyName, type: 'varchar', labels: [] },
  { name: filledName, type: 'text', labels: [] },
  ...(kind === 'deals' ? [{ name: createdName, type: 'varchar', labels: [] }] : []),
]

/**
 * Creates missing fields and choices, one call after the other, because Pipedrive would accept two fields of the same
 * name. Returns the names of fields that Pipedrive refused.
 */
export function openFieldMaker(api: PipedriveApi) {
  const inTurn = createTurns()
  const make = async (kind: Kind, wanted: readonly Wanted[]): Promise<Set<string>> => {
    const refused = new Set<string>()
    const send = async (name: string, path: string, json: unknown) => {
      const sent = await api.http.send('POST', path, { json })
      api.forgetFields(kind)
      if (sent.result === 'refused') refused.add(name)
    }
    const path = api.fieldsPath(kind)
    for (const { name, type, labels } of wanted) {
      const field = findField(await api.fields(kind), name, type)
      const missing = labels.filter((text) => !field?.options?.some((one) => one.label === text))
      const options = missing.map((text) => ({ label: text }))
      if (!field) {
        const json = { field_name: name, field_type: type, ...(options.length > 0 && { options }) }
        await send(name, path, json)
      } else if (options.length > 0) await send(name, `${path}/${field.field_code}/options`, options)
    }
    return refused
  }
  return async (kind: Kind, wanted: readonly Wanted[]): Promise<Set<string>> => {
    const own = ownFields(kind)
    const refused = await inTurn(() => make(kind, [...own, ...wanted]))
    const [missing] = own.filter(({ name }) => refused.has(name))
    if (!missing) return refused
    const words = `Pipedrive does not let us make the custom field "${missing.name}". Please make room for it, or connect an administrator's account.`
    throw new ObstacleError('key_field_missing', 'customer', words)
  }
}
