/** What the customer has changed of the mapping. Everything that is not named here follows from both sides. */
export interface MappingChanges {
  entities?: Record<string, EntityChanges>
  /** Who stands for people of the source that have no account in the destination. */
  default_user?: string | null
}

export interface EntityChanges {
  /** False leaves the whole entity out, and what hangs on it. */
  include?: boolean
  /** By field of the source; `custom:<key>` for its custom fields. */
  fields?: Record<string, FieldChange>
  /** Values for fields of the destination that nothing of the source fills. */
  constants?: Record<string, string | number | boolean>
  /** Only records created in this time. */
  created_after?: string
  created_before?: string
  /** Only records whose field has one of these values. */
  only?: Record<string, string[]>
  /** Sends also records that more people can see in the destination than in the source. */
  send_unprotected?: boolean
}

export interface FieldChange {
  /** Field of the destination, or `custom:<key>`; null leaves it out. */
  to?: string | null
  /** Value of the source to value of the destination; null leaves it empty. */
  values?: Record<string, string | null>
}

const prefix = 'custom:'

export const customName = (key: string) => `${prefix}${key}`

/** The key of a custom field, by the name it has in a mapping; null for a field of the family. */
export const customKey = (name: string) => (name.startsWith(prefix) ? name.slice(prefix.length) : null)
