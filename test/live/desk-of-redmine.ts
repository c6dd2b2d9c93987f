import type { Message, Ticket } from './compare-desks.ts'
import { type Facts, keyOf, ofTable, sortedTexts } from './facts.ts'

interface Note extends Omit<Message, 'isPublic' | 'names'> {
  author_name: string | null
  isPrivate: boolean
}

interface Relation {
  type: string
  to: number
}

/**
 * Issues of a Redmine as tickets. In a source the reporter is the requester; in a destination the requester is only a
 * watcher.
 */
export function deskOfRedmine(facts: Facts, role: 'source' | 'destination'): Facts {
  const issues = ofTable(facts, 'issues')
  const relations = issues.flatMap(([id, { relations: all }]) =>
    (all as Relation[]).map(({ type, to }) => ({ from: Number(id), type, to })),
  )
  const tickets = issues.map(([id, issue]): [string, Ticket] => {
    const number = Number(id)
    const watchers = issue.watchers as string[]
    const author = issue.author as string | null
    const people = role === 'source' && author !== null ? [author, ...watchers] : watchers
    return [
      keyOf('tickets', id),
      {
        ...(issue as unknown as Ticket),
        group: String(issue.project),
        names: issue.author_name === null ? [] : [String(issue.author_name)],
        people: [...new Set(people)].sort(),
        dependsOn: relations.filter(({ type, to }) => type === 'blocks' && to === number).map(({ from }) => from),
        linked: relations.filter(({ type, from }) => type !== 'blocks' && from === number).map(({ to }) => to),
        thread: (issue.thread as Note[]).map(({ isPrivate, author_name, ...note }) => ({
          ...note,
          names: author_name === null ? [] : [author_name],
          isPublic: !isPrivate,
        })),
        files: sortedTexts(
          (issue.files as string[]).map((file) => {
            const { name, digest } = JSON.parse(file)
            return { name, sha: digest }
          }),
        ),
      },
    ]
  })
  return new Map(tickets)
}
