import type { Family } from '../../../families/index.ts'
import type { SentRelation } from '../../contract/contract.ts'
import { type NativeForm, nativeForm } from '../../kit/native-form.ts'
import type { Vocabulary } from './vocabulary.ts'

export type Fields = Record<string, unknown>

/** Facts about the instance that decide how a record is stored. */
export interface Known {
  family: Family
  /** The user of the API key. */
  accountId: number
  vocabulary: Vocabulary
}

/** The form of an entity in which our record and Redmine's are compared. */
export type Form<R, N> = NativeForm<R, Known, Omit<Known, 'vocabulary'>, N>
export const formOf = <R>() => nativeForm<R, Known, Omit<Known, 'vocabulary'>>()

/** Some destination ids have the form `project/id`. */
export const numberOf = (relation: unknown): number | undefined => {
  const destinationId = (relation as SentRelation | undefined)?.destinationId
  const id = Number(destinationId?.split('/').at(-1) ?? Number.NaN)
  return Number.isSafeInteger(id) ? id : undefined
}
export const userIdOf = (user: unknown): number | undefined =>
  typeof user === 'string' && /^\d+$/.test(user) ? Number(user) : undefined
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.replaceAll('\0', '') : '')
export const plainText = (value: unknown): string => textOf(value).replace(/\r\n?/g, '\n')
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b)
