import Type, { type Static } from 'typebox'
import type { AccountInfo } from '../../contract/contract.ts'

// The parts of Pipedrive's other answers that we use.

const text = Type.String()
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]))

export const optionShape = Type.Object({ id: Type.Union([Type.Integer(), text]), label: text })
export const fieldShape = Type.Object({
  field_code: text,
  field_name: text,
  field_type: text,
  options: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
  is_custom_field: flag,
})
export type Field = Omit<Static<typeof fieldShape>, 'options'> & { options?: Static<typeof optionShape>[] }
const any = Type.Optional(Type.Unknown())
/** What is of another form counts as missing. */
export const userShape = Type.Object({ id: Type.Integer(), name: any, email: any, active_flag: any })
export const meShape = Type.Object({
  id: Type.Integer(),
  ...{ company_id: any, company_name: any, company_domain: any, is_admin: any, access: any },
})
/** The account of this person. */
export function accountOf({ company_id: id, company_name: name }: Static<typeof meShape>): AccountInfo {
  const isNamed = typeof name === 'string' && name.trim() !== ''
  const isKnown = /^\d+$/.test(String(id))
  return { name: isNamed ? name : `Pipedrive ${isKnown ? id : ''}`.trim(), ...(isKnown && { id: String(id) }) }
}
export const currencyShape = Type.Object({ code: text, active_flag: flag })
export const activityTypeShape = Type.Object({ key_string: text, name: text, active_flag: flag })
