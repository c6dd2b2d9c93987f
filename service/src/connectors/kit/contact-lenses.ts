import Type from 'typebox'
import type { Address } from '../../families/record.ts'
import { type Lens, type LensOptions, lens } from './lens.ts'

// Lenses for e-mail addresses, phone numbers and postal addresses.

/** E-mail addresses as plain texts. The first one is the primary address, if the tool has primary addresses. */
export const emails = (
  from: string,
  { hasPrimary = true, ...options }: LensOptions & { hasPrimary?: boolean } = {},
): Lens =>
  lens('email', {
    from,
    many: true,
    check: Type.Array(Type.String()),
    read: (values) => values.map((address, index) => (hasPrimary ? { address, isPrimary: index === 0 } : { address })),
    write: (values) => (values as unknown[]).map((value) => plainOf(value, 'address')),
    ...options,
  })

/** A single e-mail address. */
export const email = (from: string, options: LensOptions = {}): Lens =>
  lens('email', {
    from,
    check: Type.String(),
    read: (address) => ({ address }),
    write: (value) => plainOf(value, 'address'),
    ...options,
  })

export const phones = (from: string, options: LensOptions = {}): Lens =>
  lens('phone', {
    from,
    many: true,
    check: Type.Array(Type.String()),
    read: (values) => values.map((number) => ({ number })),
    write: (values) => (values as unknown[]).map((value) => plainOf(value, 'number')),
    ...options,
  })

export const phone = (from: string, options: LensOptions = {}): Lens =>
  lens('phone', {
    from,
    check: Type.String(),
    read: (number) => ({ number }),
    write: (value) => plainOf(value, 'number'),
    ...options,
  })

/**
 * A postal address: an object with one field per part, or a single text (`parts` is null), which becomes the first
 * line.
 */
export const address = (
  from: string,
  parts: Partial<Record<keyof Address, string>> | null,
  options: LensOptions = {},
): Lens => {
  if (parts === null) {
    return lens('address', { from, check: Type.String(), read: (line1) => ({ line1 }), isReadOnly: true, ...options })
  }
  const names = Object.entries(parts) as [keyof Address, string][]
  return lens('address', {
    from,
    check: Type.Record(Type.String(), Type.Unknown()),
    read: (value) =>
      Object.fromEntries(
        names.flatMap(([part, name]) => (isText(value[name]) ? [[part, value[name]]] : [])),
      ) as Address,
    write: (value) =>
      Object.fromEntries(
        names.flatMap(([part, name]) => {
          const line = (value as Address)[part]
          return line === undefined ? [] : [[name, line]]
        }),
      ),
    stored: (value) =>
      names.map(([, name]) =>
        isText((value as Record<string, unknown>)[name]) ? (value as Record<string, unknown>)[name] : null,
      ),
    ...options,
  })
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const plainOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value ? (value as Record<string, unknown>)[name] : value
