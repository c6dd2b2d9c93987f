/** Kinds of tools. Tools of one family hold the same kinds of things, so data can move between them. */
export const families = ['helpdesk', 'project', 'blog', 'crm'] as const

export type Family = (typeof families)[number]

export function isFamily(text: string): text is Family {
  return (families as readonly string[]).includes(text)
}
