import type { Leftover } from '../../contract/contract.ts'
import type { RedmineApi } from './api.ts'
import { closedProject, type Directory } from './directory.ts'
import type { Notes } from './writing.ts'

export type Locks = ReturnType<typeof createLocks>

export interface ProjectStatus {
  id: number
  parentId: number | null
  isClosed: boolean
}

export interface StatusMove {
  id: number
  act: 'close' | 'reopen'
}

const closedNote = (id: number): Leftover => ({ kind: 'closed_project', id })

/**
 * Redmine accepts no changes in a closed project and no issues for a closed version. Both are opened while one call
 * writes.
 */
export function createLocks(api: RedmineApi, directory: Directory, notes: Notes) {
  const wanted = new Map<number, boolean>()
  const versions = new Map<number, string>()

  const remember = (projects: readonly ProjectStatus[]) => {
    for (const { id, isClosed } of projects) if (!wanted.has(id)) wanted.set(id, isClosed)
  }

  /** Opens a project if it is closed. Returns false when it does not exist. */
  const openProject = async (projectId: number): Promise<boolean> => {
    const projects = await readStatuses(directory)
    const project = projects.find(({ id }) => id === projectId)
    if (!project?.isClosed) return project !== undefined
    remember(projects)
    // Reopening a project also reopens the projects below it.
    await notes.note(...closedFrom(projects, projectId).map(closedNote))
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
      return (await api.change('version', versionId, { status: 'open' })).isTaken
    },

    /** Sets the status that the project gets when the call ends. */
    async setProject(projectId: number, isClosed: boolean): Promise<void> {
      remember(await readStatuses(directory))
      wanted.set(projectId, isClosed)
      if (isClosed) await notes.note(closedNote(projectId))
      else await notes.forget(closedNote(projectId))
    },

    async restore(): Promise<void> {
      for (const [id, status] of versions) {
        await api.change('version', id, { status })
        await notes.forget({ kind: 'version_status', id, status })
      }
      versions.clear()
      if (wanted.size === 0) return
      await moveProjects(api, directory, wanted)
      await notes.forget(...[...wanted].flatMap(([id, isClosed]) => (isClosed ? [closedNote(id)] : [])))
      wanted.clear()
    },
  }
}

async function readStatuses(directory: Directory): Promise<ProjectStatus[]> {
  return (await directory.projects()).map(({ id, parent, status }) => ({
    id,
    parentId: parent?.id ?? null,
    isClosed: status === closedProject,
  }))
}

/** Closes or reopens projects until each has its wanted status. */
export async function moveProjects(
  api: RedmineApi,
  directory: Directory,
  wanted: ReadonlyMap<number, boolean>,
): Promise<void> {
  directory.forget()
  for (const { id, act } of planMoves(await readStatuses(directory), wanted)) {
    await api.send('PUT', `/projects/${id}/${act}.json`)
  }
  directory.forget()
}

/** The ids of a closed project and of the closed projects below it. */
function closedFrom(projects: readonly ProjectStatus[], projectId: number): number[] {
  const children = Map.groupBy(projects, ({ parentId }) => parentId)
  const below = (id: number): ProjectStatus[] =>
    (children.get(id) ?? []).flatMap((child) => [child, ...below(child.id)])
  return [projectId, ...below(projectId).flatMap(({ id, isClosed }) => (isClosed ? [id] : []))]
}

/**
 * Closing or reopening a project does the same to all projects below it. So moves go from the top down, and later
 * moves correct the projects below.
 */
export function planMoves(projects: readonly ProjectStatus[], wanted: ReadonlyMap<number, boolean>): StatusMove[] {
  const children = Map.groupBy(projects, ({ parentId }) => parentId)
  const known = new Set(projects.map(({ id }) => id))
  const moves: StatusMove[] = []
  // `swept` is the status that a move further up gave to all projects below it; null if there was no move.
  const visit = ({ id, isClosed }: ProjectStatus, swept: boolean | null): void => {
    const current = swept ?? isClosed
    const goal = wanted.get(id) ?? isClosed
    if (current !== goal) moves.push({ id, act: goal ? 'close' : 'reopen' })
    for (const child of children.get(id) ?? []) visit(child, current === goal ? swept : goal)
  }
  for (const project of projects) {
    if (project.parentId === null || !known.has(project.parentId)) visit(project, null)
  }
  return moves
}
