/**
 * Harbour's entities by family. A field is `name:type`, followed by target entities or choices in brackets, `*` for a
 * list, and `!` for a required field.
 */
const TABLES = {
  helpdesk: {
    groups: `name:text! description:long_text agents:user*`,
    organizations: `name:text! domains:text* description:long_text notes:long_text`,
    contacts: `
      name:text! emails:email* phones:phone* organization:relation(organizations) language:text timezone:text
      notes:long_text is_suspended:boolean`,
    tickets: `
      number:text subject:text! description:rich_text type:option(question|incident|problem|task)
      status:option(new|open|pending|on_hold|solved|closed) priority:option(low|normal|high|urgent) channel:text
      requester:relation(contacts) assignee:user group:relation(groups) organization:relation(organizations)
      collaborators:relation(contacts)* tags:text* is_private:boolean due_at:datetime solved_at:datetime closed_at:datetime
      parent_ticket:relation(tickets) linked_tickets:relation(tickets)* depends_on:relation(tickets)* followers:user*
      time_spent_s:integer`,
    comments: `
      ticket:relation(tickets)! author_agent:user author_contact:relation(contacts) body:rich_text
      is_public:boolean channel:text`,
    categories: `name:text! slug:text description:long_text parent_category:relation(categories) position:integer`,
    articles: `
      title:text! slug:text body:rich_text status:option(published|archived|draft)
      visibility:option(public|internal) category:relation(categories) author:user locale:text labels:text*
      position:integer published_at:datetime url:url`,
    attachments: `
      parent:relation(tickets|comments|articles)! file_name:text! content_type:text size:integer
      is_inline:boolean is_private:boolean uploaded_by:user`,
  },
  project: {
    projects: `
      key:text name:text! description:rich_text status:option(active|closed|archived) is_public:boolean
      parent_project:relation(projects) members:user* homepage:url`,
    memberships: `project:relation(projects)! user:user! roles:option(manager|developer|reporter)*`,
    milestones: `
      project:relation(projects)! name:text! description:long_text status:option(open|locked|closed)
      start_on:date due_on:date sharing:option(none|descendants|system)`,
    components: `project:relation(projects)! name:text! owner:user`,
    issues: `
      key:text title:text! body:rich_text type:option(task|bug|feature|support)
      status:option(new|in_progress|resolved|closed|rejected) priority:option(low|normal|high|urgent|immediate)
      project:relation(projects)! milestone:relation(milestones) component:relation(components) reporter:user
      assignee:user watchers:user* labels:text* is_private:boolean progress_percent:integer
      estimate_hours:decimal start_on:date due_on:date closed_at:datetime parent_issue:relation(issues)
      blocks:relation(issues)* precedes:relation(issues)* relates_to:relation(issues)*
      duplicates:relation(issues)* copied_to:relation(issues)*`,
    comments: `issue:relation(issues)! author:user body:rich_text is_private:boolean`,
    time_entries: `
      project:relation(projects) issue:relation(issues) user:user hours:decimal! spent_on:date
      description:long_text activity:text`,
    wiki_pages: `project:relation(projects)! title:text! body:rich_text author:user parent_page:relation(wiki_pages)`,
    attachments: `
      parent:relation(projects|issues|comments|wiki_pages)! file_name:text! content_type:text size:integer
      is_inline:boolean is_private:boolean uploaded_by:user`,
  },
  blog: {
    media: `file_name:text! content_type:text size:integer alt:text caption:long_text description:long_text title:text original_url:url`,
    tags: `name:text! slug:text description:long_text`,
    categories: `name:text! slug:text description:long_text parent_category:relation(categories)`,
    posts: `
      title:text! slug:text body:rich_text excerpt:long_text status:option(published|scheduled|private|draft) visibility:option(public|members|paid)
      published_at:datetime authors:user* password:text tags:relation(tags)* feature_image:relation(media)
      feature_image_alt:text feature_image_caption:text canonical_url:url original_url:url seo_title:text
      seo_description:long_text categories:relation(categories)* is_featured:boolean comments_enabled:boolean
      visibility:option(public|members|paid) format:option(text|photo|quote|link|video|audio)`,
    pages: `
      title:text! slug:text body:rich_text excerpt:long_text status:option(published|scheduled|private|draft) visibility:option(public|members|paid)
      published_at:datetime authors:user* password:text comments_enabled:boolean tags:relation(tags)* feature_image:relation(media)
      feature_image_alt:text feature_image_caption:text canonical_url:url original_url:url seo_title:text
      seo_description:long_text parent_page:relation(pages) position:integer visibility:option(public|members|paid)`,
    comments: `
      post:relation(posts|pages)! author_name:text author_email:email author_url:url author:user body:rich_text
      status:option(approved|pending|spam|trash) parent_comment:relation(comments)`,
    subscribers: `email:email! name:text status:text labels:text* note:long_text`,
  },
  crm: {
    tags: `name:text!`,
    pipelines: `name:text! position:integer`,
    stages: `pipeline:relation(pipelines) name:text! position:integer probability:integer outcome:option(open|won|lost)`,
    accounts: `
      name:text! emails:email* phones:phone* addresses:address* websites:url* tags:relation(tags)* is_archived:boolean is_private:boolean
      description:long_text industry:text type:text employees:integer annual_revenue:money vat_number:text
      language:text parent_account:relation(accounts) owner:user`,
    contacts: `
      name:text! first_name:text last_name:text emails:email* phones:phone* addresses:address* websites:url*
      tags:relation(tags)* is_archived:boolean is_private:boolean title:text department:text accounts:relation(accounts)* language:text birthday:date do_not_contact:boolean
      description:long_text owner:user`,
    relationships: `
      from:relation(accounts|contacts)! to:relation(accounts|contacts)! type:text! reverse_type:text`,
    deals: `
      name:text! value:money pipeline:relation(pipelines) stage:relation(stages) status:option(open|won|lost)
      probability:integer expected_close_on:date closed_at:datetime lost_reason:text source:text is_private:boolean
      account:relation(accounts) contacts:relation(contacts)* description:long_text owner:user`,
    activities: `
      related:relation(accounts|contacts|deals) type:option(call|meeting|email|message|task|other) subject:text!
      body:rich_text status:option(planned|done|cancelled) started_at:datetime ended_at:datetime due_at:datetime
      owner:user`,
    notes: `related:relation(accounts|contacts|deals)! title:text body:rich_text author:user`,
    attachments: `
      parent:relation(accounts|contacts|deals|activities|notes)! file_name:text! content_type:text size:integer
      is_inline:boolean is_private:boolean uploaded_by:user`,
  },
} as const

export type Family = keyof typeof TABLES

export const FAMILIES = Object.keys(TABLES) as Family[]

export interface FieldRule {
  type: string
  many: boolean
  required: boolean
  maxLength: number | null
  /** Choices of an option. */
  options: readonly string[]
  /** Entities that a relation can refer to. */
  to: readonly string[]
}

export type EntityRules = Readonly<Record<string, FieldRule>>

/** For each entity, the entities whose records may be sent inside its records. */
export type Carries = Readonly<Record<string, readonly string[]>>

const CARRIES: Readonly<Record<Family, Carries>> = {
  helpdesk: { tickets: ['comments'] },
  project: { issues: ['comments'] },
  blog: { posts: ['comments'], pages: ['comments'] },
  crm: {},
}

export const carriesOf = (families: readonly Family[]): Carries =>
  Object.assign({}, ...families.map((family) => CARRIES[family]))

/** The maximum length of a one-line text. */
const MAX_LINE = 1000

const FIELD = /^(\w+):(\w+)(?:\(([\w|]+)\))?(\*?)(!?)$/

/**
 * The entities of an account with these families. An entity of several families, such as comments, has the fields of
 * all of them. A field is required only if every family requires it.
 */
export function entitiesOf(families: readonly Family[]): Readonly<Record<string, EntityRules>> {
  const entities: Record<string, EntityRules> = {}
  for (const family of families) {
    for (const [name, table] of Object.entries(TABLES[family])) {
      const rules = parseTable(table)
      const known = entities[name]
      entities[name] = known ? merge(known, rules) : rules
    }
  }
  return entities
}

function parseTable(table: string): EntityRules {
  const fields = table.trim().split(/\s+/).map(parseField)
  return Object.fromEntries(fields)
}

function parseField(notation: string): [string, FieldRule] {
  const [, name = '', type = '', inBrackets, many, required] = FIELD.exec(notation) ?? []
  if (name === '') throw new Error(`${notation} is not the notation of a field`)
  const names = inBrackets?.split('|') ?? []
  return [
    name,
    {
      type,
      many: many === '*',
      required: required === '!',
      maxLength: type === 'text' ? MAX_LINE : null,
      options: type === 'option' ? names : [],
      to: type === 'relation' ? names : [],
    },
  ]
}

function merge(one: EntityRules, other: EntityRules): EntityRules {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const fields = [...names].map((name): [string, FieldRule] => {
    const [a, b] = [one[name], other[name]]
    const rule = a ?? b
    if (!rule) throw new Error(`${name} is in neither`)
    if (!a || !b) return [name, { ...rule, required: false }]
    return [
      name,
      {
        ...a,
        required: a.required && b.required,
        options: [...new Set([...a.options, ...b.options])],
        to: [...new Set([...a.to, ...b.to])],
      },
    ]
  })
  return Object.fromEntries(fields)
}
