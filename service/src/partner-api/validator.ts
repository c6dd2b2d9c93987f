import { Ajv, type Options } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

const options: Options = { allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: false }
const bodyAjv = new Ajv(options)
// A query holds nothing but text, so numbers must be read from it; one too large for a number must still be too large.
const queryAjv = new Ajv({ ...options, coerceTypes: true, strictNumbers: false })

/** Finds every problem at once. A body is taken at its word: "true" is no boolean and 5 is no string. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'querystring' ? queryAjv : bodyAjv).compile(schema)
