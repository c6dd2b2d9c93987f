import { Notice } from '../../ui/notice.tsx'
import { Time } from '../parts.tsx'
import { SaveForm } from '../save-form.tsx'

/** Opens the portal as the customer sees it, read-only. The customer can see that an operator looked. */
export function LookAtPortal({ importId }: { importId: string }) {
  return (
    <SaveForm
      method="POST"
      path={`/imports/${importId}/look`}
      fields={[
        {
          name: 'reason',
          label: 'Reason',
          hint: 'The reason stays in the audit log for good, so name no person. Write a ticket number and the problem that you look for.',
          isRequired: true,
        },
      ]}
      button="Look at the portal"
      answer={({ path, until }: { path: string; until: string }) => (
        <Notice tone="good" heading="The portal is open for this browser, read-only">
          <p>
            <a
              href={path}
              target="_blank"
              rel="noreferrer"
              className="text-accent underline decoration-accent/40 underline-offset-4 hover:decoration-accent"
            >
              Open the portal in a new tab
            </a>{' '}
            until <Time at={until} />. The customer sees that you looked.
          </p>
        </Notice>
      )}
    />
  )
}
