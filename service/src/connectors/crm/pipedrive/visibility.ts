import Type from 'typebox'
import { uncounted } from '../../kit/count-skipped.ts'
import { fitting } from '../../kit/has-shape.ts'
import { once, onceEach } from '../../kit/once.ts'
import { dataIn, type Kind, type PipedriveApi } from './api.ts'
import { optionShape } from './schema.ts'

/** Who sees the records of an account, beyond the owner of each record. */
export interface Visibility {
  /** True if the account has several visibility groups. Without them, 3 means the entire company. */
  hasGroups: boolean
  /** Pipelines that some group does not see. Their deals are hidden with them. */
  hiddenPipelines: ReadonlySet<number>
}
export const openToAll: Visibility = { hasGroups: false, hiddenPipelines: new Set() }

const code = 'visible_to'
/** The value for the entire company in plans with visibility groups. Other plans have no such value. */
const everyone = 7
const fieldShape = Type.Object({ key: Type.Literal(code), options: Type.Array(Type.Unknown()) })
const roleShape = Type.Object({ id: Type.Integer() })
const hiddenShape = Type.Object({ pipeline_ids: Type.Array(Type.Integer()), visible: Type.Literal(false) })

/** Asks who sees the records of a kind. If Pipedrive does not tell, records for a group are hidden from the others. */
export function openVisibility(api: PipedriveApi): (kind: Kind) => Promise<Visibility> {
  const groups = onceEach((kind: Kind) => groupsOf(api, kind))
  const hidden = once(async () => {
    const found = new Set<number>()
    for (const { id } of (await groups('deals')) ?? []) {
      const { json } = await api.http.look(`/api/v1/roles/${id}/pipelines`, uncounted, { visible: 'false' })
      for (const { pipeline_ids } of fitting(hiddenShape, [dataIn(json)]))
        for (const one of pipeline_ids) found.add(one)
    }
    return found
  })
  return async (kind) => {
    // A single group has all users.
    if ((await groups(kind))?.length === 1) return openToAll
    return { hasGroups: true, hiddenPipelines: kind === 'deals' ? await hidden() : new Set() }
  }
}

const oneGroup = [{ id: 0 }]
/** The visibility groups. One in a plan without groups; null if this account may not read them. */
async function groupsOf(api: PipedriveApi, kind: Kind): Promise<readonly { id: number }[] | null> {
  const values = await valuesOf(api, kind)
  if (values.length > 0 && !values.includes(everyone)) return oneGroup
  const { status, json } = await api.http.look('/api/v1/roles', uncounted, { limit: 500 })
  return status === 200 ? fitting(roleShape, [dataIn(json)].flat()) : null
}

/** The values that `visible_to` can have. v2 documents choices only for fields that people made; v1 has them. */
async function valuesOf(api: PipedriveApi, kind: Kind): Promise<number[]> {
  const known = (await api.fields(kind)).find((one) => one.field_code === code)?.options
  if (known?.length) return known.map(({ id }) => Number(id))
  const { json } = await api.http.look(api.fieldsPath(kind).replace('v2', 'v1'), uncounted, { limit: 500 })
  const [field] = fitting(fieldShape, [dataIn(json)].flat())
  return fitting(optionShape, field?.options ?? []).map(({ id }) => Number(id))
}
