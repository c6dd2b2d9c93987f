import type { PortalImport } from '../../../service/src/portal/contract.ts'
import { formatDate, formatTime, inSentence, texts } from '../../texts/index.ts'
import { Announcement } from '../../ui/announcement.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenFooter } from '../../ui/screen-footer.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { factsOf } from './facts-of.ts'
import { Items } from './items.tsx'
import { RunProgress } from './run-progress.tsx'
import { percentDone } from './running.ts'
import { Shores } from './shores.tsx'
import { Users } from './users.tsx'
import { Warnings } from './warnings.tsx'

export interface ArrivalProps {
  imp: PortalImport
  /** When the service last answered; null while it does answer. */
  staleSince: Date | null
}

/** Where the import stands, and what happens next. */
export function Arrival({ imp, staleSince }: ArrivalProps) {
  const facts = factsOf(imp)
  const words = texts.status[imp.status_code]
  const title = words.title(facts)
  const partner = inSentence(imp.partner.name)
  const percent = percentDone(imp)
  const wholeTens = percent === null ? null : Math.floor(percent / 10) * 10
  return (
    <div className="mx-auto flex min-h-dvh max-w-180 flex-col px-4 sm:px-6">
      <title>{texts.pageTitle(title, partner)}</title>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 pt-6 pb-5 sm:pt-10">
        <p className="min-w-0 text-lg font-semibold wrap-anywhere">
          <bdi>{imp.partner.name}</bdi>
        </p>
        <p className="text-sm text-quiet">
          {texts.header.madeFor}: {texts.header.family[imp.family]}
        </p>
      </header>
      <main className="flex-1">
        <Shores imp={imp} />
        {/* Stays in the page, so that its words are announced when they come. */}
        <div role="status">{staleSince && <Notice>{texts.stale(formatTime(staleSince))}</Notice>}</div>
        <ScreenTitle>{title}</ScreenTitle>
        <p className="mt-3 text-pretty">{words.now(facts)}</p>
        <RunProgress imp={imp} />
        <section className="mt-8">
          <h2 className="font-semibold">{texts.nextHeading}</h2>
          <p className="mt-1 text-pretty text-quiet">{words.next(facts)}</p>
        </section>
        <Items items={imp.items} destination={facts.destination} />
        <Users users={imp.users} source={facts.source} destination={facts.destination} />
        <Warnings warnings={imp.warnings} />
        <Announcement text={wholeTens === null ? title : texts.progress.announced(title, wholeTens)} />
      </main>
      <ScreenFooter reference={imp.id}>
        {texts.footer.carriedOut(partner)} {texts.footer.created(formatDate(new Date(imp.created_at)))}.
      </ScreenFooter>
    </div>
  )
}
