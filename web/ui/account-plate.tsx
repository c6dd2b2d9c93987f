import { Icon } from './icon.tsx'

const tones = { quiet: 'text-quiet', verified: 'text-verified', needs: 'text-needs' }

export interface AccountPlateProps {
  role: string
  label: string
  account: string | null
  /** A note about our access to the account; null for none. */
  access: { words: string; tone: 'quiet' | 'verified' | 'needs' } | null
  /** Whether the plate is on the right side and aligned to the right. */
  isRight?: boolean
}

export function AccountPlate({ role, label, account, access, isRight = false }: AccountPlateProps) {
  return (
    <div
      className={`flex min-w-0 flex-1 flex-col gap-2 sm:gap-3 ${isRight ? 'items-end text-right sm:flex-row-reverse sm:items-start' : 'items-start sm:flex-row'}`}
    >
      <span
        aria-hidden="true"
        className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-paper text-sm font-semibold text-quiet"
      >
        {monogram(label)}
      </span>
      <div className="min-w-0 max-w-full">
        <p className="text-xs text-quiet">{role}</p>
        <p className="leading-snug font-semibold hyphens-auto wrap-anywhere">
          <bdi>{label}</bdi>
        </p>
        {account !== null && (
          <p className="text-sm text-quiet wrap-anywhere">
            <bdi>{account}</bdi>
          </p>
        )}
        {access && (
          <p className={`mt-1 flex items-start gap-1 text-sm ${tones[access.tone]} ${isRight ? 'justify-end' : ''}`}>
            {access.tone === 'verified' && <Icon name="check" className="mt-0.5 size-4" />}
            {access.tone === 'needs' && <Icon name="warning" className="mt-0.5 size-4" />}
            {access.words}
          </p>
        )}
      </div>
    </div>
  )
}

/** One or two letters in place of a tool's logo, because we show no trademarks. */
function monogram(label: string): string {
  const words = label.split(/\s+/).filter((word) => word !== '')
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}
