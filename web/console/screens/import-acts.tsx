import type { ConsoleImport } from '../../../service/src/console/contract.ts'
import { Notice } from '../../ui/notice.tsx'
import { ActButton } from '../act-button.tsx'

const looks = ['plan', 'preview', 'check']

/** The acts that an import allows now. */
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
              question="A run sends the records again that were refused, or wait for a refused one. Send them?"
            >
              Send missing records again
            </ActButton>
          )}
          {isOwner && (
            <>
              <ActButton
                path={`/imports/${id}/link`}
                body={{ link_version }}
                question="The old link opens nothing from then on, and everybody is signed out. Issue a new link?"
                answer={({ redirect_url }: { redirect_url: string }) => (
                  <Notice tone="good" heading="The new link, shown only now">
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
          <ActButton path={`/imports/${id}/archive`} question="Nobody finds the import from then on. Archive it?">
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
          question="All personal data of this import is erased for good, and nothing can be undone any more. Invoices and payments stay. Erase it?"
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
              ? 'The run ends for good. Nothing that was copied is touched. Stop it?'
              : 'The run ends for good, and everything that this import has copied is removed from the destination. Stop and undo it?'
          }
        >
          Stop
        </ActButton>
      )}
    </>
  )
}
