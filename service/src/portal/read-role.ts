import type { Role } from '../accounts/sealed-access.ts'
import { RequestError } from '../errors.ts'

export function readRole(role: string): Role {
  if (role === 'source' || role === 'destination') return role
  throw new RequestError('not_found', 'There is no such account.')
}
