import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { request } from 'undici'

export interface ApiAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; their shape is checked against the description
  json: any
}

export interface ApiCall {
  token?: string
  headers?: Record<string, string>
  /** An object is sent as JSON; a string or bytes are sent unchanged. */
  body?: unknown
}

interface ApiDescription {
  paths?: Record<string, Record<string, { responses?: Record<string, unknown> }>>
}

/** Calls the API over HTTP, and fails on an answer that the API's own description does not allow. */
export function createApiCaller(origin: string, describeApi: () => unknown) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const validators = new Map<string, ValidateFunction | null>()
  let description: ApiDescription | null = null

  const validatorFor = (method: string, path: string, status: number): ValidateFunction | null => {
    description ??= describeApi() as ApiDescription
    const operation = findOperation(description, method, path)
    if (!operation) return null
    const key = `${method} ${operation.template} ${status}`
    if (!validators.has(key)) {
      const answer = operation.responses[String(status)] as { content?: Record<string, { schema: object }> } | undefined
      if (!answer) throw new Error(`${key} is not described`)
      const schema = answer.content?.['application/json']?.schema
      validators.set(
        key,
        schema ? ajv.compile({ ...schema, components: (description as { components?: unknown }).components }) : null,
      )
    }
    return validators.get(key) ?? null
  }

  return async (method: string, path: string, { token, headers = {}, body }: ApiCall = {}): Promise<ApiAnswer> => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const answer = await request(`${origin}${path}`, {
      method: method as 'GET',
      headers: {
        ...(token === undefined ? {} : { authorization: `Basic ${Buffer.from(`${token}:x`).toString('base64')}` }),
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    const json = isJson && text !== '' ? JSON.parse(text) : null
    const validate = validatorFor(method, path, answer.statusCode)
    if (validate && !validate(json)) {
      throw new Error(`${method} ${path} answered ${answer.statusCode} ${text}\n${ajv.errorsText(validate.errors)}`)
    }
    return { status: answer.statusCode, headers: answer.headers, text, json }
  }
}

function findOperation(description: ApiDescription, method: string, path: string) {
  const below = /^\/api\/(?:v2\.1|sandbox)(\/[^?]*)/.exec(path)?.[1]
  if (below === undefined) return null
  for (const [template, operations] of Object.entries(description.paths ?? {})) {
    const pattern = new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`)
    const operation = pattern.test(below) ? operations[method.toLowerCase()] : undefined
    if (operation) return { template, responses: operation.responses ?? {} }
  }
  return null
}
