import { Ajv, type Options } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'

const options: Options = { allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: false }
const bodyAjv = new Ajv(options)
// A query holds only text, so numbers are read from it. A number beyond the range must still count as too large.
const queryAjv = new Ajv({ ...options, coerceTypes: true, strictNumbers: false })

/** Finds every problem at once. A body keeps its types: "true" is no boolean and 5 is no string. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'querystring' ? queryAjv : bodyAjv).compile(schema)
