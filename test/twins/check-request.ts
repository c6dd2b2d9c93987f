import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'

/**
 * One request that a tool has and a connector may send: our own small schema from the vendor's description. An unknown
 * name is an error, because tools ignore unknown names and the values get lost.
 */
export interface OperationShape {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path. Parameters in it begin with a colon: `/tickets/:id`. */
  path: string
  /** Parameters by name, with a pattern for the whole value if not every text is valid. */
  query?: Readonly<Record<string, RegExp | true>> | undefined
  /** Parameters that may be repeated, besides those whose names end in `[]`. */
  repeats?: readonly string[]
  /** The schema of a JSON body. Objects in it should be closed: `Type.Object({…}, { additionalProperties: false })`. */
  json?: TSchema
  /** The parts of a form. */
  form?: readonly string[]
  /** The body is raw bytes. */
  bytes?: true
  /** Requests inside the body, such as those of a batch. They are checked like any other. */
  // biome-ignore lint/suspicious/noExplicitAny: the schema of the body has been checked
  inside?(json: any): SeenRequest[]
}

export interface SeenRequest {
  method: string
  /** The path with the query. */
  path: string
  contentType?: string | undefined
  json?: unknown
  form?: FormData | null
  hasBody?: boolean
}

/** The operation of a request, and the values in its path; null for an unknown request. */
export function matchOperation<T extends OperationShape>(
  operations: readonly T[],
  method: string,
  pathname: string,
): { operation: T; params: Record<string, string> } | null {
  const parts = pathname.split('/')
  // A literal path has priority over one with a parameter in the same place.
  const literal = (path: string) => path.split('/').filter((part) => !part.startsWith(':')).length
  for (const operation of operations.toSorted((a, b) => literal(b.path) - literal(a.path))) {
    const wanted = operation.path.split('/')
    if (operation.method !== method || wanted.length !== parts.length) continue
    if (!wanted.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))) continue
    const named = wanted.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), decode(parts[at])]] : []))
    return { operation, params: Object.fromEntries(named) }
  }
  return null
}

/** Errors of a request, in words for the connector's author. Empty if there are none. */
export function checkRequest(operations: readonly OperationShape[], request: SeenRequest): string[] {
  const url = new URL(request.path, 'http://twin.invalid')
  const name = `${request.method} ${url.pathname}`
  const found = matchOperation(operations, request.method, url.pathname)
  if (!found) return [`${name}: the tool has no such request`]
  const { operation } = found
  const wrong: string[] = []
  const seen = new Set<string>()
  for (const [key, value] of url.searchParams) {
    const pattern = operation.query?.[key]
    if (pattern === undefined) wrong.push(`${name}: there is no parameter ${key}`)
    else if (pattern !== true && !new RegExp(`^(?:${pattern.source})$`, `${pattern.flags}`).test(value))
      wrong.push(`${name}: ${key} cannot be ${JSON.stringify(value.slice(0, 100))}`)
    const isList = key.endsWith('[]') || operation.repeats?.includes(key)
    if (seen.has(key) && !isList) wrong.push(`${name}: the parameter ${key} comes twice`)
    seen.add(key)
  }
  wrong.push(...checkBody(name, operation, request))
  const inside = wrong.length === 0 && request.json !== undefined ? (operation.inside?.(request.json) ?? []) : []
  return [...wrong, ...inside.flatMap((one) => checkRequest(operations, one))]
}

function checkBody(name: string, operation: OperationShape, { json, form, hasBody }: SeenRequest): string[] {
  if (operation.bytes) return []
  if (operation.form && form) {
    const strange = [...form.keys()].filter((part) => !operation.form?.includes(part))
    return strange.map((part) => `${name}: the form has no part ${part}`)
  }
  if (operation.json && json !== undefined) {
    const errors = Errors(operation.json, json).filter(({ keyword }) => keyword !== 'boolean')
    return errors.map((error) => {
      const names = (error.params as { additionalProperties?: readonly string[] }).additionalProperties
      return `${name}: ${error.instancePath || 'the body'} ${error.message}${names ? `: ${names.join(', ')}` : ''}`
    })
  }
  if (operation.json || operation.form) {
    return hasBody ? [`${name}: the body is neither the JSON nor the form that is asked for`] : []
  }
  return hasBody ? [`${name}: it takes no body`] : []
}

function decode(part = ''): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
