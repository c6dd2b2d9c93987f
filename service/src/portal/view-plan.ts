import { datedInside, sumUp } from '../connectors/entity-capabilities.ts'
import { entityOf } from '../families/index.ts'
import { findFreeRecords } from '../imports/covered-records.ts'
import { findPlan } from '../imports/find-plan.ts'
import { countUnprotected } from '../mapping/count-unprotected.ts'
import { describeMapping } from '../mapping/describe-mapping.ts'
import { findNewest } from '../mapping/save-changes.ts'
import { isWithheld } from '../warnings/codes.ts'
import { estimateDuration, measurePace } from './estimate-duration.ts'
import type { PortalImportRow } from './find-portal-import.ts'
import type { PortalPlan } from './mapping-contract.ts'
import type { PortalParts } from './portal-parts.ts'
import { findNames, presentLosses } from './present-losses.ts'

/** The plan of an import: counts, copied fields and losses, before anything is written. */
export async function viewPlan({ db, connectors }: PortalParts, imp: PortalImportRow): Promise<PortalPlan> {
  const found = await findPlan(db, imp.id)
  if (!found?.plan) {
    return {
      state: found ? found.run.state : 'none',
      obstacle: found?.run.obstacle ?? null,
      made_at: null,
      entities: [],
      checks: [],
      destination: null,
      sample: null,
      is_again: false,
      is_outdated: false,
      duration: null,
    }
  }
  const { run, plan, entities } = found
  const { changes, version } = await findNewest(db, imp.id)
  const mapping = { changes, destination: plan.destination }
  const fields = Object.fromEntries(entities.map((entity) => [entity.entity, entity.fields]))
  const described = describeMapping(imp.family, mapping, { customFields: plan.custom_fields, fields })
  const byName = new Map(entities.map((entity) => [entity.entity, entity]))
  const { left, of, chosen } = await findFreeRecords(db, imp.id)
  const mayLose = connectors.find(({ tool }) => tool === imp.destination_tool)?.destination?.loses ?? []
  const nameOf = await findNames(db, imp.id, entities)
  const { account, capabilities, maxFileBytes } = plan.destination
  const can = sumUp(plan.destination)
  return {
    state: run.state,
    obstacle: run.obstacle,
    made_at: plan.made_at.toISOString(),
    sample: left === null ? null : { left, of, chosen },
    is_again: plan.is_again || plan.run_id !== run.id,
    is_outdated: plan.people_changed_at !== null || run.mapping_version !== version,
    duration: estimateDuration(
      plan.destination,
      described.flatMap(({ entity, is_included }) => {
        const { total = null, looked_at = 0 } = byName.get(entity) ?? {}
        return is_included ? [{ entity, records: total ?? looked_at }] : []
      }),
      await measurePace(db, imp.id),
    ),
    checks: plan.checks.map(({ code, isFine, isBlocking, isAboutLaterRuns = false, message, fix }) => ({
      code,
      is_fine: isFine,
      is_blocking: isBlocking,
      is_about_later_runs: isAboutLaterRuns,
      message,
      fix: fix ?? null,
    })),
    destination: {
      name: account.name,
      keeps_times: can.backdate,
      keeps_times_inside: datedInside(plan.destination),
      sends_no_mail: can.silentCreate,
      can_undo: capabilities.delete,
      delivery_class: can.deliveryClass,
      largest_file_bytes: maxFileBytes,
      may_lose: mayLose.map((loss) => `lost:${loss}`),
    },
    entities: described.map((entity) => {
      const survey = byName.get(entity.entity)
      const told = imp.warnings.filter((warning) => isWithheld(warning.code) && warning.entity === entity.entity)
      const withheld = told.find(({ code }) => code === 'withheld_by_source')?.count ?? 0
      return {
        entity: entity.entity,
        total: survey?.total ?? null,
        withheld,
        looked_at: survey?.looked_at ?? 0,
        oldest: survey?.oldest?.toISOString() ?? null,
        newest: survey?.newest?.toISOString() ?? null,
        is_taken: entity.is_taken,
        is_included: entity.is_included,
        unprotected: countUnprotected(entityOf(imp.family, entity.entity), mapping, survey?.audiences ?? {}),
        sends_unprotected: changes.entities?.[entity.entity]?.send_unprotected === true,
        mapped: survey?.mapped ?? 0,
        whole: survey?.whole ?? 0,
        undecided: survey?.undecided ?? 0,
        losses: survey ? presentLosses(entity, survey, nameOf, told) : [],
        fields: entity.fields.map(({ name, label, filled, to, reason }) => ({ name, label, filled, to, reason })),
      }
    }),
  }
}
