import type { Role } from '../accounts/sealed-access.ts'
import { ObstacleError, RetryableError } from '../errors.ts'

/** Says of an obstacle which account it is about, so that the customer is asked for the right one. */
export function addRole(role: Role, error: unknown): void {
  const obstacle = error instanceof RetryableError ? error.obstacle : error
  if (obstacle instanceof ObstacleError) obstacle.role ??= role
  if (error instanceof RetryableError) error.role ??= role
}

export const blame =
  (role: Role) =>
  (error: unknown): never => {
    addRole(role, error)
    throw error
  }

/** The same reader or writer. Each error that it throws names its account. */
export function blameAccount<T extends object>(role: Role, side: T): T {
  return new Proxy(side, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        try {
          const answer = Reflect.apply(member, target, args)
          return answer instanceof Promise ? answer.catch(blame(role)) : answer
        } catch (error) {
          return blame(role)(error)
        }
      }
    },
  })
}
