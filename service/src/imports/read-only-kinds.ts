import type { RunKind } from '../db/schema.ts'

/** Kinds of runs that only read. They change no status, and may work beside a run that writes or removes records. */
export const readOnlyKinds = ['plan', 'preview', 'check'] as const satisfies readonly RunKind[]

export type ReadOnlyKind = (typeof readOnlyKinds)[number]

export const isReadOnly = (kind: RunKind): kind is ReadOnlyKind => (readOnlyKinds as readonly RunKind[]).includes(kind)
