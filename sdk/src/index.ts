export { createWherry, type Wherry, type WherryOptions } from './client.ts'
export { WherryError } from './errors.ts'
export type * from './types.ts'
