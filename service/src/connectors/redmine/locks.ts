import type { RedmineApi } from './api.ts'
import { closedProject, type Directory } from './directory.ts'
import { type Raw, take } from './schema.ts'

/** A closed project takes no changes, and a closed version no issues. Both are opened for as long as one call writes. */
export interface Locks {
  /** False when there is no such project. */
  openProject(projectId: number): Promise<boolean>
  /** False when issues of this project cannot be given that version. */
  openVersion(versionId: number, projectId: number): Promise<boolean>
  /** What the project is to be when everything is shut again. */
  setProject(projectId: number, isClosed: boolean): Promise<void>
  restore(): Promise<void>
}

export interface ProjectStatus {
  id: number
  parentId: number | null
  isClosed: boolean
}

export interface StatusMove {
  id: number
  act: 'close' | 'reopen'
}

export function createLocks(api: RedmineApi, directory: Directory): Locks {
  const wanted = new Map<number, boolean>()
  const versions = new Map<number, string>()

  const statuses = async (): Promise<ProjectStatus[]> =>
    (await directory.projects()).map(({ id, parent, status }) => ({
      id,
      parentId: parent?.id ?? null,
      isClosed: status === closedProject,
    }))
  const remember = async () => {
    for (const { id, isClosed } of await statuses()) if (!wanted.has(id)) wanted.set(id, isClosed)
  }

  return {
    async openProject(projectId) {
      const project = (await statuses()).find(({ id }) => id === projectId)
      if (!project) return false
      if (!project.isClosed) return true
      await remember()
      await api.send('PUT', `/projects/${projectId}/reopen.json`)
      directory.forget()
      return true
    },

    async openVersion(versionId, projectId) {
      const found = await api.find(`/versions/${versionId}.json`, 'version')
      if (found === null) return false
      const version = take('version', found)
      if (version.project?.id !== projectId && !(await isShared(api, version, projectId))) return false
      if (version.status === 'open' || version.status === undefined) return true
      if (version.project && !(await this.openProject(version.project.id))) return false
      if (!versions.has(versionId)) versions.set(versionId, version.status)
      return (await api.send('PUT', `/versions/${versionId}.json`, { version: { status: 'open' } })).isTaken
    },

    async setProject(projectId, isClosed) {
      await remember()
      wanted.set(projectId, isClosed)
    },

    async restore() {
      for (const [id, status] of versions) await api.send('PUT', `/versions/${id}.json`, { version: { status } })
      versions.clear()
      if (wanted.size === 0) return
      directory.forget()
      for (const { id, act } of planMoves(await statuses(), wanted)) {
        await api.send('PUT', `/projects/${id}/${act}.json`)
      }
      wanted.clear()
      directory.forget()
    },
  }
}

async function isShared(api: RedmineApi, version: Raw<'version'>, projectId: number): Promise<boolean> {
  const listed = await api.listAll(`/projects/${projectId}/versions.json`, 'versions')
  return listed.some((item) => take('version', item).id === version.id)
}

/**
 * Closing a project closes everything below it, and reopening opens it. From the top down, so that each move undoes
 * what the one before did too much.
 */
export function planMoves(projects: readonly ProjectStatus[], wanted: ReadonlyMap<number, boolean>): StatusMove[] {
  const children = Map.groupBy(projects, ({ parentId }) => parentId)
  const known = new Set(projects.map(({ id }) => id))
  const moves: StatusMove[] = []
  // `swept` is what a move further up made of everything below it.
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
