import { lazy, type ReactNode, Suspense } from 'react'
import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { formatDate, formatTime, inSentence, texts } from '../../texts/index.ts'
import { Notice } from '../../ui/notice.tsx'
import { ScreenFooter } from '../../ui/screen-footer.tsx'
import { importPath, send } from '../ask.ts'
import { usePlace } from '../use-place.ts'
import { ObstacleNotice } from './obstacle-notice.tsx'
import { obstacleOf } from './obstacle-of.ts'
import { Shores } from './shores.tsx'
import { SignOutButton, SignOutFailure, useSignOut } from './sign-out.tsx'
import { Steps } from './steps.tsx'

// Loaded separately, because it is large and rarely needed.
const MoreRecords = lazy(async () => ({ default: (await import('../pay/more-records.tsx')).MoreRecords }))

export interface ShellProps {
  imp: PortalImport
  /** When the service last answered; null if it answers now. */
  staleSince: Date | null
  isWide: boolean
  /** Hides the picture of the water, on screens with tasks. */
  isFlat: boolean
  children: ReactNode
}

/** The frame around every screen of an import: the partner, the status and the obstacle. */
export function Shell({ imp, staleSince, isWide, isFlat, children }: ShellProps) {
  const [place = ''] = usePlace()
  const partner = inSentence(imp.partner.name)
  const obstacle = obstacleOf(imp)
  const signingOut = useSignOut()
  return (
    <div className={`mx-auto flex min-h-dvh flex-col px-4 sm:px-6 ${isWide ? 'max-w-300' : 'max-w-180'}`}>
      {imp.seen_by_operator && (
        <aside aria-label={texts.shell.look.heading}>
          <Notice tone="needs" heading={texts.shell.look.heading}>
            <p>{texts.shell.look.until(formatTime(new Date(imp.seen_by_operator.until)))}</p>
          </Notice>
        </aside>
      )}
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 pt-6 pb-4 sm:pt-8">
        <p className="flex min-w-0 items-center gap-3 text-lg font-semibold">
          {imp.partner.has_logo && (
            <img src={importPath('/logo')} alt="" className="h-8 max-w-32 shrink-0 object-contain" />
          )}
          <bdi className="wrap-anywhere">{imp.partner.name}</bdi>
        </p>
        <p className="text-sm text-quiet">
          {texts.header.madeFor}
          {texts.colon} {texts.header.family[imp.family]}
        </p>
      </header>
      <Steps status={imp.status_code} place={place} />
      <main className="flex-1">
        <Shores imp={imp} isFlat={isFlat} />
        {/* Always present, so that screen readers announce its text when it appears. */}
        <div role="status">{staleSince && <Notice>{texts.stale(formatTime(staleSince))}</Notice>}</div>
        {obstacle?.code === 'records_not_paid' ? (
          <Suspense>
            <MoreRecords obstacle={obstacle} />
          </Suspense>
        ) : (
          obstacle && place !== 'connect' && <ObstacleNotice obstacle={obstacle} />
        )}
        {children}
        <SignOutFailure action={signingOut} />
      </main>
      <ScreenFooter
        reference={imp.id}
        // Later mails use this language, too. If this request fails, only the mails keep the old language.
        onLanguage={(language) => void send('PUT', '/language', { language }).catch(() => {})}
        links={
          <>
            <FooterLink to="activity">{texts.shell.activity}</FooterLink>
            <FooterLink to="messages">{texts.shell.messages}</FooterLink>
            <FooterLink to="cancel">{texts.shell.cancel}</FooterLink>
            <SignOutButton action={signingOut} />
          </>
        }
      >
        {texts.footer.carriedOut(partner)} {texts.footer.created(formatDate(new Date(imp.created_at)))}.
      </ScreenFooter>
    </div>
  )
}

function FooterLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={`#${to}`} className="inline-block py-1 underline decoration-quiet/40 underline-offset-4 hover:text-ink">
      {children}
    </a>
  )
}
