import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { MappingChanges } from '../../../service/src/db/mapping-changes.ts'
import type { PortalMapping, PortalMappingCheck } from '../../../service/src/portal/mapping-contract.ts'
import { entityLabel, formatNumber } from '../../texts/index.ts'
import { later } from '../../texts/later.ts'
import { fetchSentences } from '../../texts/sentences.ts'
import { Actions, Button, LinkButton } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Working } from '../../ui/working.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { get, send } from '../ask.ts'
import { isPlanMissing } from '../query-client.ts'
import { Screen } from '../shell/screen.tsx'
import { useAction } from '../use-action.ts'
import { useImport } from '../use-import.tsx'
import { goTo, usePlace } from '../use-place.ts'
import { isSame, withoutUnfinished } from './draft.ts'
import { EntityEditor } from './entity-editor.tsx'
import { rebase } from './rebase.ts'
import { SavedMappings } from './saved-mappings.tsx'
import { useDraft } from './use-draft.ts'
import { useSettled } from './use-settled.ts'

/** Matches fields and values. Saving stores the changes of all entities together. */
export function Mapping() {
  const { facts } = useImport()
  const { title, intro, notYet } = later.mapping
  const { data, error, errorUpdateCount } = useQuery({
    queryKey: ['mapping'],
    queryFn: ({ signal }) => get<PortalMapping>('/mapping', signal),
  })
  // A new request clears the error, but the earlier reason still applies until the answer.
  const [lastError, setLastError] = useState(error)
  if (error !== null && error !== lastError) setLastError(error)
  return (
    <Screen title={title} intro={intro(facts.source, facts.destination)}>
      {data ? (
        <Editor saved={data} />
      ) : isPlanMissing(lastError) ? (
        <p role="status" className="mt-6 text-quiet">
          {notYet}
        </p>
      ) : (
        <Working hasFailed={errorUpdateCount > 0} />
      )}
    </Screen>
  )
}

/** Short enough for a quick answer, and long enough to avoid a request for every letter. */
const checkAfterMs = 150

function Editor({ saved }: { saved: PortalMapping }) {
  const words = later.mapping
  const client = useQueryClient()
  const [, asked, sought] = usePlace()
  const [draft, setDraft] = useDraft()
  const changes = draft?.changes ?? saved.changes
  const isChanged = draft !== null && !isSame(draft.changes, saved.changes)
  const finished = useMemo(() => withoutUnfinished(changes), [changes])
  const settled = useSettled(finished, checkAfterMs)
  // The service decides which targets fit, and converts each value.
  const { data: check } = useQuery({
    queryKey: ['mapping', 'check', settled],
    queryFn: async () => {
      await fetchSentences()
      return send<PortalMappingCheck>('POST', '/mapping/check', { changes: settled })
    },
    enabled: isChanged,
    placeholderData: keepPreviousData,
  })
  const described = isChanged && check ? check.entities : saved.entities
  const problems = isChanged && check ? check.problems : {}
  const taken = described.filter(({ is_taken, fields }) => is_taken || fields.length > 0)
  const entity = taken.find((one) => one.entity === asked) ?? taken[0]
  const save = useAction(async () => {
    try {
      await send('PUT', '/mapping', { version: draft?.version ?? saved.version, changes: finished })
    } catch (error) {
      // Another person may have saved changes. They are loaded; the unsaved changes stay.
      await client.invalidateQueries({ queryKey: ['mapping'], exact: true })
      throw error
    }
    setDraft(null)
  })
  const isConflict = save.failure?.kind === 'refused' && 'version' in save.failure.fields
  const discard = () => {
    setDraft(null)
    save.reset()
  }
  const keepMine = () => {
    if (draft)
      setDraft({ version: saved.version, base: saved.changes, changes: rebase(draft.base, changes, saved.changes) })
    save.reset()
  }
  const change = (next: MappingChanges) => {
    save.reset()
    const { version, base } = draft ?? { version: saved.version, base: saved.changes }
    setDraft({ version, base, changes: next })
  }
  if (!entity) return <p className="mt-6 text-quiet">{words.noFields}</p>
  const undecided = (one: typeof entity) => one.fields.filter(({ status }) => status === 'undecided').length
  return (
    <>
      <Select
        label={words.entities}
        className="mt-6 max-w-80"
        value={entity.entity}
        onChange={({ target }) => goTo(`mapping/${encodeURIComponent(target.value)}`)}
      >
        {taken.map((one) => (
          <option key={one.entity} value={one.entity}>
            {entityLabel(one.entity)}
            {undecided(one) > 0 ? ` (${words.toDecide(formatNumber(undecided(one)))})` : ''}
          </option>
        ))}
      </Select>
      <EntityEditor
        key={`${entity.entity}/${sought ?? ''}`}
        entity={entity}
        sought={sought}
        changes={changes}
        finished={finished}
        problems={problems}
        onChange={change}
      />
      <SavedMappings version={saved.version} onUse={change} />
      <div className="sticky bottom-0 z-10 -mx-4 mt-8 border-t border-line bg-paper px-4 pb-3 sm:-mx-6 sm:px-6">
        {isConflict ? (
          <Notice tone="needs">
            <p role="alert">{words.conflict}</p>
            <div className="mt-3 flex flex-wrap gap-3">
              <Button onClick={keepMine}>{words.keepMine}</Button>
              <Button onClick={discard}>{words.loadTheirs}</Button>
            </div>
          </Notice>
        ) : (
          <FailureNotice failure={save.failure} />
        )}
        <div className="[&>div]:mt-3">
          <Actions>
            {isChanged && !isConflict && (
              <>
                <ActionButton action={save} onAct={() => void save.act()} pending={words.saving}>
                  {words.save}
                </ActionButton>
                <Button onClick={discard}>{words.discard}</Button>
              </>
            )}
            {!isChanged && <LinkButton to="plan">{words.back}</LinkButton>}
            <p role="status" className="text-sm text-quiet sm:mr-auto">
              {isChanged ? words.unsaved : save.isDone ? words.saved : ''}
            </p>
          </Actions>
        </div>
      </div>
    </>
  )
}
