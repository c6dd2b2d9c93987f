import { type ComponentType, lazy } from 'react'
import type { ImportStatus } from '../../service/src/portal/contract.ts'

export interface ScreenEntry {
  Component: ComponentType
  isWide: boolean
  isFlat: boolean
  /** Statuses in which the screen can be opened. Default: all. */
  statuses?: readonly ImportStatus[]
}

const Connect = lazy(async () => ({ default: (await import('./connect/connect.tsx')).Connect }))
const Plan = lazy(async () => ({ default: (await import('./plan/plan.tsx')).Plan }))
const Mapping = lazy(async () => ({ default: (await import('./mapping/mapping.tsx')).Mapping }))
const People = lazy(async () => ({ default: (await import('./people/people.tsx')).People }))
const Progress = lazy(async () => ({ default: (await import('./progress/progress.tsx')).Progress }))
const Review = lazy(async () => ({ default: (await import('./review/review.tsx')).Review }))
const Full = lazy(async () => ({ default: (await import('./full/full.tsx')).Full }))
const Paid = lazy(async () => ({ default: (await import('./pay/paid.tsx')).Paid }))
const Done = lazy(async () => ({ default: (await import('./done/done.tsx')).Done }))
const Undo = lazy(async () => ({ default: (await import('./undo/undo.tsx')).Undo }))
const Cleaned = lazy(async () => ({ default: (await import('./undo/cleaned.tsx')).Cleaned }))
const Activity = lazy(async () => ({ default: (await import('./activity/activity.tsx')).Activity }))
const Messages = lazy(async () => ({ default: (await import('./messages/messages.tsx')).Messages }))
const Cancel = lazy(async () => ({ default: (await import('./cancel/cancel.tsx')).Cancel }))

const planned: ImportStatus[] = [
  'waiting_to_start_sample_migration',
  'sample_migration_completed',
  'in_preparation',
  'migration_in_progress',
  'migration_completed',
]

/** The screen of each status. It is shown after a reload or when the customer returns days later. */
const homes: Record<ImportStatus, ScreenEntry> = {
  collecting_credentials: { Component: Connect, isWide: true, isFlat: false },
  waiting_to_start_sample_migration: { Component: Plan, isWide: true, isFlat: false },
  sample_migration_in_progress: { Component: Progress, isWide: false, isFlat: false },
  sample_migration_completed: { Component: Review, isWide: true, isFlat: false },
  in_preparation: { Component: Full, isWide: false, isFlat: false },
  migration_in_progress: { Component: Progress, isWide: false, isFlat: false },
  migration_completed: { Component: Done, isWide: true, isFlat: false },
  undo_in_progress: { Component: Progress, isWide: false, isFlat: false },
  migration_cleaned: { Component: Cleaned, isWide: false, isFlat: false },
}

/** Other screens, by the part of the address after `#`. */
const places: Record<string, ScreenEntry> = {
  connect: { Component: Connect, isWide: true, isFlat: true },
  plan: { Component: Plan, isWide: true, isFlat: true, statuses: planned },
  mapping: { Component: Mapping, isWide: true, isFlat: true, statuses: planned },
  people: { Component: People, isWide: true, isFlat: true, statuses: planned },
  full: { Component: Full, isWide: false, isFlat: true, statuses: ['sample_migration_completed'] },
  paid: { Component: Paid, isWide: false, isFlat: true, statuses: ['sample_migration_completed'] },
  undo: {
    Component: Undo,
    isWide: false,
    isFlat: true,
    statuses: [
      'sample_migration_in_progress',
      'sample_migration_completed',
      'migration_in_progress',
      'migration_completed',
    ],
  },
  activity: { Component: Activity, isWide: false, isFlat: true },
  messages: { Component: Messages, isWide: false, isFlat: true },
  cancel: { Component: Cancel, isWide: false, isFlat: true },
}

/** Whether the status allows this screen. */
export function placeAllowed(status: ImportStatus, place: string): boolean {
  const asked = Object.hasOwn(places, place) ? places[place] : undefined
  return asked !== undefined && (asked.statuses === undefined || asked.statuses.includes(status))
}

/** Returns the wanted screen, or the status's own screen if the status does not allow it. */
export function screenAt(status: ImportStatus, place: string): ScreenEntry {
  const asked = placeAllowed(status, place) ? places[place] : undefined
  return asked ?? homes[status]
}
