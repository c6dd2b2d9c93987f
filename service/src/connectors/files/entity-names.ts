import type { EntityDefinition } from '../../families/definition.ts'
import { type Family, familyDefinitions } from '../../families/index.ts'
import { words } from './words.ts'

/**
 * Names of entities in English, German, French and Spanish, in the form of `toName`. The first name is the singular.
 */
const names: Record<string, readonly string[]> = {
  accounts: words(`
    account company companies organization organizations firma firmen unternehmen compte comptes entreprise
    entreprises societe societes cuenta cuentas empresa empresas`),
  activities: words(`
    activity aktivitaet aktivitaeten event events termine activite activites evenements rendez_vous actividad
    actividades eventos citas`),
  articles: words(`
    article artikel knowledge_base kb faq solutions wissensdatenbank base_de_connaissances articulo articulos
    base_de_conocimiento soluciones`),
  categories: words(`
    category kategorie kategorien sections rubriken categorie rubriques categoria categorias secciones`),
  comments: words(`
    comment kommentar kommentare replies messages conversations antworten nachrichten commentaire commentaires
    reponses comentario comentarios respuestas mensajes`),
  components: words('component komponente komponenten modules module composant composants componente componentes'),
  contacts: words(`
    contact customer customers kunde kunden kontakt kontakte people person clients client personnes contacto
    contactos cliente clientes personas`),
  deals: words(`
    deal opportunity opportunities leads verkaufschancen abschluesse affaire affaires opportunite opportunites
    negocio negocios oportunidad oportunidades`),
  groups: words(`
    group gruppe gruppen team teams queues departments abteilungen groupe groupes equipe equipes grupo grupos
    equipo equipos departamentos`),
  issues: words(`
    issue ticket tickets task tasks bugs aufgabe aufgaben vorgaenge work_packages tache taches demandes anomalies
    tarea tareas incidencias errores`),
  milestones: words(`
    milestone meilenstein meilensteine versions sprints releases jalon jalons hito hitos versiones`),
  notes: ['note', 'notiz', 'notizen', 'nota', 'notas'],
  organizations: words(`
    organization company companies organisation organisations organisationen account accounts firma firmen
    unternehmen entreprise entreprises societe societes organizacion organizaciones empresa empresas`),
  pages: ['page', 'seite', 'seiten', 'pagina', 'paginas'],
  pipelines: ['pipeline', 'verkaufsprozesse', 'processus_de_vente', 'embudos'],
  posts: words(`
    post beitrag beitraege articles blog blog_posts artikel stories billet billets publications entrada entradas
    publicaciones articulos`),
  projects: words('project projekt projekte boards spaces projet projets proyecto proyectos'),
  stages: words('stage phase phasen stufen etape etapes etapa etapas'),
  subscribers: words(`
    subscriber abonnent abonnenten members newsletter mitglieder abonne abonnes membres suscriptor suscriptores
    miembros`),
  tags: words('tag label labels schlagwort schlagwoerter etiquette etiquettes mot_cle mots_cles etiqueta etiquetas'),
  tickets: words(`
    ticket issue issues cases requests anfrage anfragen vorgaenge stoerungen demande demandes requetes incidents
    incidencia incidencias solicitudes casos`),
  time_entries: words(`
    time_entry times worklogs timesheet timesheets zeiten zeiterfassung buchungen temps saisies_de_temps
    feuilles_de_temps horas registros_de_tiempo partes_de_horas`),
  wiki_pages: words('wiki_page wiki docs pages seiten wikiseiten pages_wiki paginas paginas_wiki'),
}

/** These entities need the bytes of files, which a table does not contain. */
const withoutBytes = new Set(['attachments', 'media'])

export function entitiesOf(family: Family): EntityDefinition[] {
  return familyDefinitions[family].entities.filter(({ name }) => !withoutBytes.has(name))
}

export const singularOf = (entity: string): string => names[entity]?.[0] ?? entity
export const namesOf = (entity: string): readonly string[] => [entity, ...(names[entity] ?? [])]

/** Normalizes a name: `Kunden Größe (cm)` → `kunden_groesse_cm`; `firstName` → `first_name`. */
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

/**
 * Finds the entity by the file's name: `export/Kunden-2024.csv` holds contacts. The family's own names win over
 * synonyms.
 */
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
