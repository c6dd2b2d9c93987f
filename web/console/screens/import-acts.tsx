import type { ConsoleImport } from '../../../service/src/console/contract.ts'
import { Notice } from '../../ui/notice.tsx'
import { ActButton } from '../act-button.tsx'

const looks = ['plan', 'preview', 'check']

/** The acts that the import's status allows. */
export function ImportActs({ imp, isOwner }: { imp: ConsoleImport; isOwner: boolean }) {
  const { id, link_version, ended_as } = imp
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {ended_as === null && (
        <>
          <RunActs imp={imp} />
          {imp.status === 'migration_completed' && (
            <ActButton
              path={`/imports/${id}/retry`}
              question="A new run sends the refused records again, and the records that wait for them. Send them?"
            >
              Send missing records again
            </ActButton>
          )}
          {isOwner && (
            <>
              <ActButton
                path={`/imports/${id}/link`}
                body={{ link_version }}
                question="The old link stops working, and everybody is signed out. Issue a new link?"
                answer={({ redirect_url }: { redirect_url: string }) => (
                  <Notice tone="good" heading="The new link, shown only once">
                    <code className="wrap-anywhere">{redirect_url}</code>
                  </Notice>
                )}
              >
                New link
              </ActButton>
              <ActButton
                path={`/imports/${id}/link`}
                body={{ link_version, revoke: true }}
                question="No link opens the portal until you issue a new one, and everybody is signed out. Revoke the link?"
              >
                Revoke link
              </ActButton>
            </>
          )}
          <ActButton
            path={`/imports/${id}/archive`}
            question="The portal and the API then no longer show the import. Archive it?"
          >
            Archive
          </ActButton>
          <ActButton
            path={`/imports/${id}/cancel`}
            look="danger"
            question="The import ends for good, and its credentials are erased. Cancel it?"
          >
            Cancel
          </ActButton>
        </>
      )}
      {isOwner && imp.erased_at === null && (
        <ActButton
          path={`/imports/${id}/erase`}
          look="danger"
          question="This erases all personal data of this import for good. An undo is no longer possible. Invoices and payments stay. Erase the data?"
        >
          Erase
        </ActButton>
      )}
    </div>
  )
}

function RunActs({ imp: { run, obstacle } }: { imp: ConsoleImport }) {
  if (run?.state !== 'paused' && run?.state !== 'working') return null
  const isWaiting = run.state === 'working' && (run.failures > 0 || obstacle !== null)
  return (
    <>
      {run.state === 'paused' && (
        <ActButton path={`/runs/${run.id}/resume`} look="primary">
          Resume
        </ActButton>
      )}
      {isWaiting && (
        <ActButton path={`/runs/${run.id}/retry`} look="primary">
          Retry now
        </ActButton>
      )}
      {(run.state === 'paused' || isWaiting) && <ActButton path={`/runs/${run.id}/skip`}>Skip</ActButton>}
      {run.state === 'working' && <ActButton path={`/runs/${run.id}/pause`}>Pause</ActButton>}
      {run.kind !== 'undo' && (
        <ActButton
          path={`/runs/${run.id}/stop`}
          look="danger"
          question={
            looks.includes(run.kind)
              ? 'The run ends for good. Copied records stay unchanged. Stop the run?'
              : 'The run ends for good. Then an undo removes everything that this import has copied to the destination. Stop and undo?'
          }
        >
          Stop
        </ActButton>
      )}
    </>
  )
}
