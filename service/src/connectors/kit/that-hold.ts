import type { SourceNotice } from './entity.ts'

/** The names whose condition holds. */
export const thatHold = <N extends string>(...given: (readonly [isSo: boolean, name: N])[]): N[] =>
  given.flatMap(([isSo, name]) => (isSo ? [name] : []))

/** The warnings whose condition holds, for `warns` of an entity. */
export const noticesIf = (...given: (readonly [isSo: unknown, ...notice: SourceNotice])[]): SourceNotice[] =>
  given.flatMap(([isSo, ...notice]) => (isSo ? [notice] : []))
