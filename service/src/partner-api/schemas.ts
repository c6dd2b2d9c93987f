import { Type } from 'typebox'
import { publicErrors } from '../errors.ts'
import { families } from '../families/index.ts'
import { importStatuses, statusTexts } from '../lifecycle.ts'

/** Excludes control characters (the database cannot store NUL) and half surrogate pairs (they are no text). */
export const printablePattern = '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$'
/** The form of `after` in a Link header. */
export const cursorPattern = '^imp_[0-9a-z_]{1,60}$'
/** At least one character other than white space. */
export const notBlankPattern = '\\S'

const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Enum([...values], { type: 'string', description })

const Family = oneOf(families, 'Product family')

export const Tool = Type.Object(
  {
    name: Type.String({ description: 'Machine name, to be sent as `source_tool`' }),
    slug: Type.String({ description: 'The same as `name`' }),
    label: Type.String({ description: 'What people read' }),
    families: Type.Array(Family, { description: 'Families shared with your destination' }),
  },
  { title: 'Tool', description: 'A tool that data can be moved from' },
)

export const NewImportBody = Type.Object(
  {
    source_tool: Type.String({ pattern: notBlankPattern, description: 'Name, slug or label of a listed tool' }),
    destination_instance_url: Type.Optional(
      Type.String({
        maxLength: 2048,
        pattern: printablePattern,
        description: 'Absolute http or https URL of the instance',
      }),
    ),
    destination_username: Type.Optional(
      Type.String({
        maxLength: 320,
        pattern: printablePattern,
        description: 'Username or e-mail address in the destination',
      }),
    ),
    destination_token: Type.Optional(
      Type.String({
        maxLength: 8192,
        pattern: printablePattern,
        description: 'API token of the destination. Write-only: it is never returned, and kept encrypted.',
      }),
    ),
    start_full: Type.Optional(
      Type.Boolean({ default: false, description: 'Skip the sample and sponsor the full migration from the start' }),
    ),
    family: Type.Optional(oneOf(families, 'Default: the first shared family')),
  },
  {
    title: 'NewImport',
    description: 'Unknown properties are ignored; null, and a blank text for an optional property, mean not given.',
  },
)

export const CreatedImport = Type.Object(
  {
    id: Type.String({ description: 'The import’s id' }),
    token: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Opens the portal of this one import' }),
    redirect_url: Type.String({ format: 'uri', description: 'Send the customer here' }),
  },
  { title: 'CreatedImport' },
)

const entryProperties = {
  id: Type.String(),
  token: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  status: oneOf(Object.values(statusTexts), 'Status text'),
  status_code: oneOf(importStatuses, 'The status in snake case'),
  family: Family,
  items: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'Records of each entity now in the destination through this import',
  }),
  users: Type.Object({
    source_tool: Type.Integer({ minimum: 0 }),
    destination_tool: Type.Integer({ minimum: 0 }),
    matched: Type.Integer({ minimum: 0 }),
  }),
  created_at: Type.String({ format: 'date-time' }),
}

export const ImportEntry = Type.Object(entryProperties, { title: 'ImportEntry' })

const detailProperties = {
  ...entryProperties,
  source_tool: Type.String(),
  destination_tool: Type.String(),
  sponsorship: oneOf(['undecided', 'accepted', 'rejected'], 'Whether you pay for the full migration'),
  sponsorship_reason: Type.Optional(
    Type.Object(
      {
        policy: oneOf(['ask', 'customer_pays', 'sponsor_all', 'sponsor_up_to'], 'The policy that was applied'),
        records: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description: 'Records that count, as the plan has them; null where nothing was counted',
        }),
        limit: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
          description: 'The most records that the policy sponsors; null for a policy without a limit',
        }),
        budget_spent: Type.Optional(
          Type.Literal(true, { description: 'You would pay, and your budget for the month has no room for it' }),
        ),
      },
      { description: 'Present only while `sponsorship` follows from your policy or budget, not from your own word' },
    ),
  ),
  paid: Type.Boolean({ description: 'A purchase by the customer is paid, and not refunded' }),
  progress: Type.Object(
    { done: Type.Integer({ minimum: 0 }), total: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]) },
    { description: 'Of the run under way or last finished; `total` is null while it is unknown' },
  ),
  warnings: Type.Optional(
    Type.Array(
      Type.Object({
        code: Type.String(),
        message: Type.String(),
        entity: Type.String(),
        count: Type.Integer({ minimum: 1 }),
      }),
      { minItems: 1, maxItems: 100, description: 'Present only if there are any' },
    ),
  ),
}

export const ImportDetail = Type.Object(detailProperties, { title: 'Import' })

const redirectUrl = Type.String({ format: 'uri', description: 'Send the customer here' })

export const LinkedImport = Type.Object(
  { ...detailProperties, redirect_url: redirectUrl },
  { title: 'LinkedImport', description: 'The import with its new link' },
)

export const ErrorBody = Type.Object(
  {
    error: oneOf(Object.keys(publicErrors), 'Machine code'),
    message: Type.String({ description: 'One helpful sentence' }),
  },
  { title: 'Error' },
)

export const FieldErrors = Type.Record(Type.String(), Type.Array(Type.String(), { minItems: 1 }), {
  title: 'FieldErrors',
  description: 'Messages by property, only the properties that failed',
  minProperties: 1,
})

export const ToolsQuery = Type.Object({
  family: Type.Optional(oneOf(families, 'Only tools of this family')),
})

export const ListQuery = Type.Object({
  destination_username: Type.String({
    allOf: [{ pattern: notBlankPattern }, { pattern: printablePattern }],
    description: 'Username or e-mail address in the destination',
  }),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, description: 'Page size; without it, everything is returned' }),
  ),
  after: Type.Optional(
    Type.String({ pattern: cursorPattern, description: 'Where a page starts; taken from the Link header' }),
  ),
})

export const ImportParams = Type.Object({ id: Type.String({ description: 'The import’s id' }) })

const described = <T extends object>(schema: T, description: string) => ({ ...schema, description })

const rateHeaders = {
  RateLimit: { type: 'string', description: 'Requests left in this second' },
  'RateLimit-Policy': { type: 'string', description: 'The limit' },
}

/** Answers that every endpoint may give. */
export const commonAnswers = {
  400: described(ErrorBody, publicErrors.bad_request.meaning),
  401: {
    ...described(ErrorBody, publicErrors.unauthorized.meaning),
    headers: { 'WWW-Authenticate': { type: 'string', description: 'Basic' } },
  },
  403: described(ErrorBody, 'The API token is valid, and is limited to other scopes. The code is `unauthorized`.'),
  404: described(ErrorBody, publicErrors.not_found.meaning),
  429: {
    ...described(ErrorBody, publicErrors.rate_limited.meaning),
    headers: { 'Retry-After': { type: 'string', description: 'Seconds to wait' }, ...rateHeaders },
  },
  500: described(ErrorBody, publicErrors.internal.meaning),
  503: described(ErrorBody, publicErrors.unavailable.meaning),
}

export const createImportDocs = {
  operationId: 'createImport',
  summary: 'Create an import',
  description:
    'Creates a partially initialized import and answers where to send the customer. When what was given is enough to sign in to the destination, the account is checked. An `Idempotency-Key` header makes a repeated request return the first answer for 24 hours.',
  tags: ['Imports'],
  headers: Type.Object({
    'idempotency-key': Type.Optional(
      Type.String({ maxLength: 255, description: 'A repeated request with it returns the first answer for 24 hours' }),
    ),
  }),
  body: NewImportBody,
  response: {
    201: {
      ...described(CreatedImport, 'Created'),
      headers: { Location: { type: 'string', description: 'Address of the import' }, ...rateHeaders },
    },
    422: described(FieldErrors, 'A property breaks a rule; `destination` stands for the account as a whole'),
    ...commonAnswers,
  },
}

export const listImportsDocs = {
  operationId: 'listImports',
  summary: 'List the imports of a username',
  description: 'Newest first. Cancelled and archived imports are left out.',
  tags: ['Imports'],
  querystring: ListQuery,
  response: {
    200: {
      ...described(Type.Array(ImportEntry), 'The imports'),
      headers: { Link: { type: 'string', description: 'The next page, if there is one' }, ...rateHeaders },
    },
    422: described(FieldErrors, 'A query parameter breaks a rule'),
    ...commonAnswers,
  },
}

export const findImportDocs = {
  operationId: 'getImport',
  summary: 'Read one import',
  description: 'Its status, what was moved so far, and what needs attention.',
  tags: ['Imports'],
  params: ImportParams,
  response: { 200: described(ImportDetail, 'The import'), ...commonAnswers },
}

export const issueLinkDocs = {
  operationId: 'issueLink',
  summary: 'Issue a new portal link',
  description:
    'The earlier link and its token open nothing any more, and every browser that is signed in to the portal is signed out. Every call issues one more link, and only the newest opens the portal.',
  tags: ['Imports'],
  params: ImportParams,
  response: { 200: described(LinkedImport, 'The import with its new `token` and `redirect_url`'), ...commonAnswers },
}

export const decideSponsorshipDocs = (word: 'accept' | 'reject') => ({
  operationId: `${word}Sponsorship`,
  summary: `${word === 'accept' ? 'Accept' : 'Reject'} sponsorship`,
  description:
    word === 'accept'
      ? 'You pay: the customer can start the full migration. Repeating it changes nothing.'
      : 'You do not pay: the customer can purchase the full migration. Repeating it changes nothing.',
  tags: ['Sponsorship'],
  params: ImportParams,
  response: {
    200: Type.Null({ description: 'Decided; the body is empty' }),
    422: described(
      FieldErrors,
      'The full migration has started and the other decision was taken before, or your budget for the month has no room for it',
    ),
    ...commonAnswers,
  },
})
