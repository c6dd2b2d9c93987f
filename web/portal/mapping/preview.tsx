import { useState } from 'react'
import type { MappingChanges } from '../../../service/src/mapping/changes.ts'
import type { PortalRecordView } from '../../../service/src/portal/contract.ts'
import { later } from '../../texts/later.ts'
import { TextField } from '../../ui/field.tsx'
import { ActionButton, FailureNotice } from '../action-parts.tsx'
import { send } from '../ask.ts'
import { SideBySide } from '../records/side-by-side.tsx'
import { useAction } from '../use-action.ts'

/** One real record with the mapping as it is on the screen. */
export function Preview({ entity, changes }: { entity: string; changes: MappingChanges }) {
  const { previewId, previewShow, previewing } = later.mapping
  const [id, setId] = useState('')
  const [view, setView] = useState<PortalRecordView | null>(null)
  const look = useAction(async () => {
    const body = { entity, changes, ...(id.trim() !== '' && { source_id: id.trim() }) }
    setView(await send<PortalRecordView>('POST', '/mapping/preview', body))
  })
  return (
    <>
      <div className="mt-3 flex flex-wrap items-end gap-3">
        <TextField
          className="w-full sm:w-72"
          label={previewId}
          value={id}
          onChange={({ target }) => setId(target.value)}
        />
        <ActionButton action={look} onAct={() => void look.act()} pending={previewing} look="secondary">
          {previewShow}
        </ActionButton>
      </div>
      <FailureNotice failure={look.failure} />
      {view && <SideBySide view={view} isPreview />}
    </>
  )
}
