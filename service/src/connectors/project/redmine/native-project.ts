import { ObstacleError } from '../../../errors.ts'
import { versionOf } from '../../kit/version.ts'
import { closedProject } from './directory.ts'
import { numberOf, plainText, textOf } from './native-issue.ts'
import { type Raw, take } from './schema.ts'
import type { Writing } from './writing.ts'

/** Redmine modules that our records need. */
export const modules = ['issue_tracking', 'time_tracking', 'wiki', 'files', 'calendar', 'gantt']

export type NativeProject = ReturnType<typeof toNativeProject>

export function toNativeProject(fields: Record<string, unknown>) {
  return {
    name: textOf(fields.name),
    description: plainText(fields.description),
    homepage: textOf(fields.homepage),
    isPublic: fields.is_public === true,
    isClosed: fields.status === 'closed',
    parent: numberOf(fields.parent_project),
  }
}

export function readNativeProject(raw: Raw<'project'>): NativeProject {
  return {
    name: raw.name ?? '',
    description: plainText(raw.description),
    homepage: raw.homepage ?? '',
    isPublic: raw.is_public ?? false,
    isClosed: raw.status === closedProject,
    parent: raw.parent?.id,
  }
}

/** The version of a project. It changes with the project's own fields, and not with its status, parent or members. */
export function projectVersion(raw: Raw<'project'>, custom: Record<string, unknown>): string {
  const { parent: _parent, isClosed: _isClosed, ...own } = readNativeProject(raw)
  return versionOf(own, custom)
}

/** Reads a project. An archived project still exists, so it is an obstacle and not missing. */
export async function readProject({ api }: Writing, id: number | string): Promise<Raw<'project'> | null> {
  const answer = await api.findOpen('project', id)
  if (answer !== 'hidden') return answer === null ? null : take('project', answer)
  throw new ObstacleError(
    'project_archived',
    'customer',
    `The project ${id} in Redmine has been archived. Please unarchive it, so that the import can go on.`,
  )
}
