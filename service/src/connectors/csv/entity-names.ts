import type { EntityDefinition } from '../../families/definition.ts'
import { type Family, familyDefinitions } from '../../families/index.ts'

/** What people call the things of a family, in English and German, as `toName` writes it. The first is the singular. */
const names: Record<string, readonly string[]> = {
  accounts: ['account', 'company', 'companies', 'organization', 'organizations', 'firma', 'firmen', 'unternehmen'],
  activities: ['activity', 'aktivitaet', 'aktivitaeten', 'event', 'events', 'termine'],
  articles: ['article', 'artikel', 'knowledge_base', 'kb', 'faq', 'solutions', 'wissensdatenbank'],
  categories: ['category', 'kategorie', 'kategorien', 'sections', 'rubriken'],
  comments: ['comment', 'kommentar', 'kommentare', 'replies', 'messages', 'conversations', 'antworten', 'nachrichten'],
  components: ['component', 'komponente', 'komponenten', 'modules', 'module'],
  contacts: [
    'contact',
    'customer',
    'customers',
    'kunde',
    'kunden',
    'kontakt',
    'kontakte',
    'people',
    'person',
    'clients',
  ],
  deals: ['deal', 'opportunity', 'opportunities', 'leads', 'verkaufschancen', 'abschluesse'],
  groups: ['group', 'gruppe', 'gruppen', 'team', 'teams', 'queues', 'departments', 'abteilungen'],
  issues: ['issue', 'ticket', 'tickets', 'task', 'tasks', 'bugs', 'aufgabe', 'aufgaben', 'vorgaenge', 'work_packages'],
  milestones: ['milestone', 'meilenstein', 'meilensteine', 'versions', 'sprints', 'releases'],
  notes: ['note', 'notiz', 'notizen'],
  organizations: [
    'organization',
    'company',
    'companies',
    'organisation',
    'organisations',
    'organisationen',
    'account',
    'accounts',
    'firma',
    'firmen',
    'unternehmen',
  ],
  pages: ['page', 'seite', 'seiten'],
  pipelines: ['pipeline', 'verkaufsprozesse'],
  posts: ['post', 'beitrag', 'beitraege', 'articles', 'blog', 'blog_posts', 'artikel', 'stories'],
  projects: ['project', 'projekt', 'projekte', 'boards', 'spaces'],
  stages: ['stage', 'phase', 'phasen', 'stufen'],
  subscribers: ['subscriber', 'abonnent', 'abonnenten', 'members', 'newsletter', 'mitglieder'],
  tags: ['tag', 'label', 'labels', 'schlagwort', 'schlagwoerter'],
  tickets: ['ticket', 'issue', 'issues', 'cases', 'requests', 'anfrage', 'anfragen', 'vorgaenge', 'stoerungen'],
  time_entries: ['time_entry', 'times', 'worklogs', 'timesheet', 'timesheets', 'zeiten', 'zeiterfassung', 'buchungen'],
  wiki_pages: ['wiki_page', 'wiki', 'docs', 'pages', 'seiten', 'wikiseiten'],
}

/** Files hold bytes, and a table has none. */
const withoutBytes = new Set(['attachments', 'media'])

export function entitiesOf(family: Family): EntityDefinition[] {
  return familyDefinitions[family].entities.filter(({ name }) => !withoutBytes.has(name))
}

export const singularOf = (entity: string): string => names[entity]?.[0] ?? entity
export const namesOf = (entity: string): readonly string[] => [entity, ...(names[entity] ?? [])]

/** `Kunden Größe (cm)` → `kunden_groesse_cm`; `firstName` → `first_name`. */
export function toName(text: string): string {
  return text
    .slice(0, 200)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
}

/** By the name of the file: `export/Kunden-2024.csv` holds contacts. Names of the family itself win over what else people call it. */
export function entityOfFileName(family: Family, fileName: string): string | null {
  const base = fileName.split(/[\\/]/).at(-1) ?? ''
  const name = `_${toName(base.replace(/\.[^.]*$/, ''))}_`
  const found = entitiesOf(family).flatMap((entity) =>
    namesOf(entity.name)
      .filter((synonym) => name.includes(`_${synonym}_`))
      .map((synonym) => ({ entity: entity.name, weight: synonym.length + (synonym === entity.name ? 100 : 0) })),
  )
  return found.sort((a, b) => b.weight - a.weight)[0]?.entity ?? null
}
