import type { Leftover, Leftovers } from '../../contract/contract.ts'
import type { Sent } from '../../kit/http.ts'
import { onceEach } from '../../kit/once.ts'
import type { RedmineApi } from './api.ts'
import { closedProject, type Directory } from './directory.ts'
import type { Raw } from './schema.ts'
import type { Call, Writing } from './writing.ts'

export type Locks = ReturnType<typeof createLocks>

export type ProjectStatus = Pick<Raw<'project'>, 'id' | 'parent' | 'status'>

const closedNote = ({ id }: { id: number }): Leftover => ({ kind: 'closed_project', id })
const isClosed = ({ status }: ProjectStatus): boolean => status === closedProject

/** Redmine accepts no changes in closed projects or for closed versions, so both are open during a call. */
export function createLocks(api: RedmineApi, directory: Directory, notes: Leftovers) {
  const wanted = new Map<number, boolean>()
  const versions = new Map<number, string>()

  const remember = (projects: readonly ProjectStatus[]) => {
    for (const project of projects) if (!wanted.has(project.id)) wanted.set(project.id, isClosed(project))
  }

  /** Opens a project if it is closed. Returns false when it does not exist. */
  const openProject = async (projectId: number): Promise<boolean> => {
    const projects = await directory.projects()
    const project = projects.find(({ id }) => id === projectId)
    if (!project || !isClosed(project)) return project !== undefined
    remember(projects)
    // Reopening a project also reopens the projects below it.
    await notes.note(...withBelow(projects, project).filter(isClosed).map(closedNote))
    await api.send('PUT', `/projects/${projectId}/reopen.json`)
    directory.forget()
    return true
  }

  return {
    openProject,

    /** Opens a version if it is closed. Returns false when issues of this project cannot have that version. */
    async openVersion(versionId: number, projectId: number): Promise<boolean> {
      const version = await api.one('version', versionId)
      if (version === null) return false
      if (version.project?.id !== projectId) {
        const shared = await api.all('version', {}, `/projects/${projectId}`)
        if (!shared.some(({ id }) => id === version.id)) return false
      }
      if (version.status === 'open' || version.status === undefined) return true
      if (version.project && !(await openProject(version.project.id))) return false
      if (!versions.has(versionId)) versions.set(versionId, version.status)
      await notes.note({ kind: 'version_status', id: versionId, status: version.status })
      return (await api.change('version', versionId, { status: 'open' })).result === 'done'
    },

    /** Sets the status that the project gets when the call ends. */
    async setProject(projectId: number, willBeClosed: boolean): Promise<void> {
      remember(await directory.projects())
      wanted.set(projectId, willBeClosed)
      const note = closedNote({ id: projectId })
      await (willBeClosed ? notes.note(note) : notes.forget(note))
    },

    async restore(): Promise<void> {
      for (const [id, status] of versions) {
        await api.change('version', id, { status })
        await notes.forget({ kind: 'version_status', id, status })
      }
      if (wanted.size === 0) return
      await moveProjects(api, directory, wanted)
      await notes.forget(...[...wanted].flatMap(([id, wasClosed]) => (wasClosed ? [closedNote({ id })] : [])))
    },
  }
}

/** Closes or reopens projects until each has its wanted status. */
async function moveProjects(api: RedmineApi, directory: Directory, wanted: ReadonlyMap<number, boolean>) {
  directory.forget()
  for (const { id, act } of planMoves(await directory.projects(), wanted)) {
    await api.send('PUT', `/projects/${id}/${act}.json`)
  }
  directory.forget()
}

/** A project and all projects below it. */
const withBelow = (projects: readonly ProjectStatus[], project: ProjectStatus): ProjectStatus[] => [
  project,
  ...projects.filter(({ parent }) => parent?.id === project.id).flatMap((child) => withBelow(projects, child)),
]

/** A move does the same to all projects below. So moves go from the top down, and later moves correct earlier ones. */
export function planMoves(projects: readonly ProjectStatus[], wanted: ReadonlyMap<number, boolean>) {
  const children = Map.groupBy(projects, ({ parent }) => parent?.id)
  const known = new Set(projects.map(({ id }) => id))
  const moves: { id: number; act: 'close' | 'reopen' }[] = []
  // `swept` is the status that a move further up gave to all projects below it; null if there was no move.
  const visit = (project: ProjectStatus, swept: boolean | null): void => {
    const { id } = project
    const current = swept ?? isClosed(project)
    const goal = wanted.get(id) ?? isClosed(project)
    if (current !== goal) moves.push({ id, act: goal ? 'close' : 'reopen' })
    for (const child of children.get(id) ?? []) visit(child, current === goal ? swept : goal)
  }
  for (const project of projects) {
    if (!project.parent || !known.has(project.parent.id)) visit(project, null)
  }
  return moves
}

/** An issue read by an earlier call is reused for this long: a long thread takes many calls, a read a second. */
const lastIssueMs = 10_000

/**
 * After `act`, projects and versions that we opened are closed again, and watchers that Redmine added because of us
 * are removed. If that fails, the outcomes still count: the leftovers are noted and restored later.
 */
export async function inCall<T>(writing: Writing, act: (call: Call) => Promise<T>): Promise<T> {
  const { api, directory, notes, last } = writing
  const locks = createLocks(api, directory, notes)
  const watching = new Map<string, Leftover>()
  const unwatch = async (issue: number, user: number) => {
    const item = { kind: 'watcher', issue, user }
    if (watching.has(`${issue} ${user}`)) return
    await notes.note(item)
    watching.set(`${issue} ${user}`, item)
  }
  const issue = onceEach(async (id: number): Promise<Raw<'issue'> | null> => {
    if (last?.issue.id === id && performance.now() - last.readAt < lastIssueMs) return last.issue
    const read = await api.one('issue', id, { include: 'watchers' })
    writing.last = read && { issue: read, readAt: performance.now() }
    return read
  })
  const tidy = async () => {
    for (const item of watching.values()) await putBack(api, item)
    await notes.forget(...watching.values())
    await locks.restore()
  }
  try {
    return await act({ ...writing, locks, issue, unwatch })
  } finally {
    await tidy().catch(() => {})
  }
}

/** Restores temporary changes that an earlier call could not restore. Returns those that are still open. */
export async function restoreItems(api: RedmineApi, directory: Directory, items: readonly Leftover[]) {
  const done: Leftover[] = []
  for (const kind of ['watcher', 'issue_dates', 'version_status']) {
    for (const item of items.filter((one) => one.kind === kind)) {
      const sent = await putBack(api, item)
      // A deleted record needs no restoring, either. For a watcher of a deleted issue, Redmine answers "forbidden".
      const isSettled = sent.result === 'done' || sent.code === 'gone'
      if (isSettled || (kind === 'watcher' && !(await isWatching(api, item)))) done.push(item)
    }
  }
  const closed = items.filter(({ kind }) => kind === 'closed_project')
  if (closed.length > 0) await moveProjects(api, directory, new Map(closed.map(({ id }) => [Number(id), true])))
  return [...done, ...closed]
}

function putBack(api: RedmineApi, { kind, id, issue, user, ...attributes }: Leftover): Promise<Sent> {
  if (kind === 'watcher') return api.send('DELETE', `/issues/${issue}/watchers/${user}.json`)
  return api.change(kind === 'issue_dates' ? 'issue' : 'version', Number(id), attributes)
}

async function isWatching(api: RedmineApi, { issue, user }: Leftover): Promise<boolean> {
  const found = await api.one('issue', Number(issue), { include: 'watchers' })
  return found?.watchers?.some(({ id }) => id === user) ?? false
}
