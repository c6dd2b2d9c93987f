import { blog } from './blog.ts'
import { crm } from './crm.ts'
import type { EntityDefinition, FamilyDefinition } from './definition.ts'
import { helpdesk } from './helpdesk.ts'
import { project } from './project.ts'

/** Families of tools. Tools of one family have the same entities, so data can move between them. */
export const families = ['helpdesk', 'project', 'blog', 'crm'] as const

export type Family = (typeof families)[number]

export const familyDefinitions: Readonly<Record<Family, FamilyDefinition>> = { helpdesk, project, blog, crm }

export function isFamily(text: string): text is Family {
  return (families as readonly string[]).includes(text)
}

export function entityOf(family: Family, name: string): EntityDefinition {
  const entity = familyDefinitions[family].entities.find((candidate) => candidate.name === name)
  if (!entity) throw new Error(`the family ${family} has no entity ${name}`)
  return entity
}
