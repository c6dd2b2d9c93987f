import type { RunKind } from '../db/schema.ts'

/** Runs that only read: they change no status, and may work beside a run that moves records. */
export const lookKinds = ['plan', 'preview', 'check'] as const satisfies readonly RunKind[]

export type LookKind = (typeof lookKinds)[number]

export const isLook = (kind: RunKind): kind is LookKind => (lookKinds as readonly RunKind[]).includes(kind)
