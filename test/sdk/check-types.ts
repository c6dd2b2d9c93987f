import { join } from 'node:path'
import ts from 'typescript'
import { checkoutDir } from '../../service/src/config.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
type Json = any

/** The schemas in the API's description for which the SDK has a type. */
export const describedTypes: Record<string, (api: Json) => Json> = {
  Tool: (api) => api.paths['/tools'].get.responses[200].content['application/json'].schema.items,
  Family: (api) => describedTypes.Tool?.(api).properties.families.items,
  NewImport: (api) => api.paths['/imports'].post.requestBody.content['application/json'].schema,
  CreatedImport: (api) => api.paths['/imports'].post.responses[201].content['application/json'].schema,
  ImportEntry: (api) => api.paths['/imports'].get.responses[200].content['application/json'].schema.items,
  Import: (api) => api.paths['/imports/{id}'].get.responses[200].content['application/json'].schema,
  LinkedImport: (api) => api.paths['/imports/{id}/link'].post.responses[200].content['application/json'].schema,
  Status: (api) => describedTypes.ImportEntry?.(api).properties.status,
  StatusCode: (api) => describedTypes.ImportEntry?.(api).properties.status_code,
  NewMapping: (api) => api.paths['/mappings'].post.requestBody.content['application/json'].schema,
  Mapping: (api) => api.paths['/mappings'].post.responses[201].content['application/json'].schema,
  ApiErrorCode: (api) => api.paths['/imports'].get.responses[404].content['application/json'].schema.properties.error,
  WebhookMessage: (api) => api.webhooks.importChanged.post.requestBody.content['application/json'].schema,
}

/** Converts a JSON schema to a TypeScript type, for the parts of JSON schema that the description uses. */
function typeOf(schema: Json): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value: unknown) => JSON.stringify(value)).join(' | ')
  const union: Json[] | undefined = schema.anyOf ?? schema.oneOf
  if (union) return union.map((part) => `(${typeOf(part)})`).join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type })).join(' | ')
  }
  if (schema.type === undefined) return 'unknown'
  if (schema.type === 'array') return `(${typeOf(schema.items)})[]`
  if (schema.type === 'integer') return 'number'
  if (schema.type !== 'object') return schema.type
  if (!schema.properties) {
    const [values] = [...Object.values(schema.patternProperties ?? {}), schema.additionalProperties]
    return `Record<string, ${typeOf(values)}>`
  }
  const required: string[] = schema.required ?? []
  const properties = Object.entries(schema.properties).map(
    ([name, property]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(property)}`,
  )
  return `{ ${properties.join('; ')} }`
}

/** Sources are read once, because the compiler's own libraries take most of the time. */
const sources = new Map<string, ts.SourceFile | undefined>()

/** Compares every described type with the SDK's, in both directions. Returns the compiler's errors. */
export function compareTypes(api: Json): string[] {
  const file = join(checkoutDir, 'sdk/src/compared.ts')
  const source = [
    "import type * as Sdk from './index.ts'",
    'type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false',
    // Members of interfaces and of literal types, laid out alike.
    'type Flat<T> = T extends string | number | boolean | null ? T : { [K in keyof T]: Flat<T[K]> }',
    ...Object.entries(describedTypes).flatMap(([name, find]) => [
      `type ${name} = ${typeOf(find(api))}`,
      `export const same${name}: Same<Flat<${name}>, Flat<Sdk.${name}>> = true`,
      `export const toSdk${name} = (value: ${name}): Sdk.${name} => value`,
      `export const fromSdk${name} = (value: Sdk.${name}): ${name} => value`,
    ]),
  ].join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (name) => name === file || fileExists.call(host, name)
  host.readFile = (name) => (name === file ? source : readFile.call(host, name))
  host.getSourceFile = (name, language, ...rest) => {
    if (name === file) return ts.createSourceFile(name, source, language)
    if (!sources.has(name)) sources.set(name, getSourceFile.call(host, name, language, ...rest))
    return sources.get(name)
  }
  const program = ts.createProgram([file], options, host)
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
