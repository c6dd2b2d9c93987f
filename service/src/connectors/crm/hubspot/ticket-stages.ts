import type { Pipeline } from './api.ts'
import { type PropertyLens, several } from './lenses.ts'

/**
 * A ticket's status is its stage. If two pipelines have a stage of the same name, the pipeline's name is put before
 * it.
 */
export function ticketStages(pipelines: readonly Pipeline[]): PropertyLens {
  const all = pipelines.flatMap((pipeline) => pipeline.stages.map((stage) => ({ pipeline, stage })))
  const isShared = (label: string) => all.filter(({ stage }) => stage.label === label).length > 1
  const named = all.map(({ pipeline, stage }) => ({
    pipeline: pipeline.id,
    stage: stage.id,
    word: isShared(stage.label) ? `${pipeline.label}: ${stage.label}` : stage.label,
  }))
  const [first] = named
  return {
    ...several('option', ['hs_pipeline', 'hs_pipeline_stage'], {
      read: ({ hs_pipeline_stage: id }) => named.find(({ stage }) => stage === id)?.word ?? id ?? undefined,
      writesEmpty: true,
      // HubSpot requires a stage: a ticket without one gets the first stage.
      write: (value) => {
        const found = named.find(({ word }) => word === value) ?? first
        return { hs_pipeline: found?.pipeline ?? '', hs_pipeline_stage: found?.stage ?? '' }
      },
      stored: ({ hs_pipeline_stage: id }) => id,
    }),
    options: [...new Set(named.map(({ word }) => word))],
  }
}
