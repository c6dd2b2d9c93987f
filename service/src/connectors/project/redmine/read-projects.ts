import type { MappedRecord } from './build-record.ts'
import { closedProject, hasModule } from './directory.ts'
import { toHelpdesk, toProjectTool } from './long-texts.ts'
import { type Placed, places, type Raw, take } from './schema.ts'
import type { MappedPage, Reading, Shelf } from './shelf.ts'
import { toComponent, toMembership, toMilestone } from './to-project.ts'

/** How many projects are read for one page. Most projects have few records of each kind. */
const projectsAtOnce = 10

/** Projects are read one by one, because the list lacks the homepage. */
async function mapProjects({ api, directory, family, contextFor }: Reading, ids: readonly (number | string)[]) {
  const mapped: MappedRecord[] = []
  for (const id of ids) {
    const project = await api.find(`/projects/${id}.json`, 'project')
    if (project === null) continue
    const members = [...(await directory.members(Number(id))).keys()].sort((a, b) => a - b)
    const context = await contextFor([project, members.map((user) => ({ user: { id: user } }))])
    mapped.push(
      await (family === 'helpdesk'
        ? toHelpdesk('toGroup', context, project, members)
        : toProjectTool('toProject', context, project, members)),
    )
  }
  return mapped
}

export const projects: Shelf = {
  kind: 'project',
  custom: 'project',
  count: async ({ directory }) => (await directory.projects()).length,
  async read(reading, cursor) {
    const left = (await reading.directory.projects()).map(({ id }) => id).filter((id) => id > Number(cursor ?? 0))
    const page = left.slice(0, reading.pageSize)
    return { mapped: await mapProjects(reading, page), next: left.length > page.length ? String(page.at(-1)) : null }
  },
  after: (cursor, size) => String(Number(cursor ?? 0) + size),
  byId: (reading, id) => mapProjects(reading, [id]),
  listed: async ({ directory }, ids) =>
    (await directory.projects()).map(({ id }) => String(id)).filter((id) => ids.includes(id)),
}

export const projectOf = async ({ directory }: Reading, sourceId: string): Promise<Raw<'project'> | undefined> =>
  (await directory.projects()).find(({ id }) => String(id) === sourceId)

/** Cursor: `project:place`, the first project to read and the place of its last returned record. */
export async function readByProject<T>(
  reading: Reading,
  cursor: string | null,
  list: (project: Raw<'project'>) => Promise<{ place: string | number; item: T }[]>,
  map: (project: Raw<'project'>, items: T[]) => Promise<MappedRecord[]>,
): Promise<MappedPage> {
  const colon = cursor?.indexOf(':') ?? 0
  const fromId = Number(cursor?.slice(0, colon) ?? 0)
  const last = cursor?.slice(colon + 1) ?? ''
  const isAfter = (place: string | number) => (typeof place === 'number' ? place > Number(last) : place > last)
  const left = (await reading.directory.projects()).filter(({ id }) => id >= fromId)
  const mapped: MappedRecord[] = []
  for (const [index, project] of left.entries()) {
    if (mapped.length >= reading.pageSize || index === projectsAtOnce) return { mapped, next: `${project.id}:` }
    const listed = await list(project)
    const open = listed.filter(({ place }) => project.id !== fromId || last === '' || isAfter(place))
    const part = open.slice(0, reading.pageSize - mapped.length)
    const items = part.map(({ item }) => item)
    mapped.push(...(await map(project, items)))
    if (part.length < open.length) return { mapped, next: `${project.id}:${part.at(-1)?.place}` }
  }
  return { mapped, next: null }
}

/** Sorts items by id. */
export const byIds = <T extends { id: number }>(items: readonly T[]): { place: number; item: T }[] =>
  items.map((item) => ({ place: item.id, item })).sort((a, b) => a.place - b.place)

/** Reads a list that each project has. */
function listShelf(
  kind: Extract<Placed, 'membership' | 'version' | 'category'>,
  toRecord: typeof toMembership,
  more: Partial<Shelf> = {},
): Shelf {
  const [many] = places[kind]
  /** Leaves out versions that other projects share with this one. */
  const list = async ({ api }: Reading, project: Raw<'project'>): Promise<{ id: number }[]> => {
    if (kind !== 'membership' && !hasModule(project, 'issue_tracking')) return []
    if (kind === 'category' && project.status === closedProject) return categoriesInUse(api, project.id)
    const listed = await api.listAll(`/projects/${project.id}/${many}.json`, many)
    return listed.filter((item) => (take(kind, item).project?.id ?? project.id) === project.id) as { id: number }[]
  }
  const map = async ({ contextFor }: Reading, items: readonly unknown[]): Promise<MappedRecord[]> => {
    const context = await contextFor(items)
    return items.flatMap((item) => toRecord(context, item) ?? [])
  }
  const mapAll = async (reading: Reading, items: readonly { id: number }[]) =>
    map(
      reading,
      byIds(items).map(({ item }) => item),
    )
  return {
    ...more,
    kind,
    read: (reading, cursor) =>
      readByProject(
        reading,
        cursor,
        async (project) => byIds(await list(reading, project)),
        (_project, items) => map(reading, items),
      ),
    async byId(reading, id) {
      const found = await reading.api.findOpen(kind, id)
      if (found !== 'hidden') return found === null ? [] : map(reading, [found])
      const closed = (await reading.directory.projects()).filter(({ status }) => status === closedProject)
      const listed = (await Promise.all(closed.map((project) => list(reading, project)))).flat()
      return map(
        reading,
        listed.filter((item) => String(item.id) === id),
      )
    },
    async under(reading, { sourceId }) {
      const project = await projectOf(reading, sourceId)
      return { mapped: project ? await mapAll(reading, await list(reading, project)) : [] }
    },
  }
}

export const memberships = listShelf('membership', toMembership)
export const milestones = listShelf('version', toMilestone, { custom: 'version' })
export const components = listShelf('category', toComponent)

/** Redmine hides the categories of a closed project, but its issues still name the categories in use. */
async function categoriesInUse(api: Reading['api'], projectId: number): Promise<{ id: number }[]> {
  const query = { project_id: projectId, subproject_id: '!*', status_id: '*', sort: 'id' }
  const issues = await api.all('issue', query)
  const inUse = new Map(
    issues.flatMap(({ category, project }) => (category ? [[category.id, { ...category, project }]] : [])),
  )
  return [...inUse.values()]
}
