import type { FastifySchemaValidationError } from 'fastify'
import type { FieldMessages } from '../errors.ts'
import { cursorPattern, notBlankPattern, printablePattern } from './schemas.ts'

type SchemaError = Pick<FastifySchemaValidationError, 'keyword' | 'instancePath' | 'params'>

/** A schema's errors by property, in words for the developer who wrote the request. */
export function fieldMessages(errors: readonly SchemaError[]): FieldMessages {
  const messages = new Map<string, string>()
  for (const error of errors) {
    const property =
      error.keyword === 'required' ? String(error.params.missingProperty) : (error.instancePath.split('/')[1] ?? '')
    // One message per property is enough: a wrong type needs no second message about the length.
    if (!messages.has(property)) messages.set(property, describe(error))
  }
  return Object.fromEntries([...messages].map(([property, message]) => [property, [message]]))
}

const nouns: Record<string, string> = { string: 'a string', boolean: 'true or false', integer: 'a whole number' }

const patternMessages: Record<string, string> = {
  [notBlankPattern]: "can't be blank",
  [printablePattern]: 'must not contain control characters or broken Unicode',
  [cursorPattern]: 'must be taken from a Link header',
}

function describe({ keyword, params }: SchemaError): string {
  switch (keyword) {
    case 'required':
      return "can't be blank"
    case 'type':
      return `must be ${nouns[String(params.type)] ?? String(params.type)}`
    case 'maxLength':
      return `is too long (maximum is ${params.limit} characters)`
    case 'pattern':
      return patternMessages[String(params.pattern)] ?? 'is invalid'
    case 'enum':
      return `must be one of ${(params.allowedValues as string[]).join(', ')}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    default:
      return 'is invalid'
  }
}
