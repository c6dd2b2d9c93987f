import { Boat, type BoatProps } from './boat.tsx'

export interface Voyage extends BoatProps {
  /** The boat's position in percent of the way. */
  at: number
}

/**
 * The water between the two shores. It is hidden from screen readers, because the text beside it says the same. With
 * reduced motion, a sailing boat is hidden and the progress bar is shown. A low window, such as at 200 % zoom, needs
 * the room for text.
 */
export function Crossing({ voyage }: { voyage: Voyage }) {
  const { at, ...boat } = voyage
  return (
    <div
      aria-hidden="true"
      data-crossing
      className={`off-paper flex h-22 [@media(max-height:32rem)]:hidden ${boat.isSailing ? 'motion-reduce:hidden' : ''}`}
    >
      <Shore />
      <svg aria-hidden="true" className="relative z-1 h-22 min-w-0 flex-1 overflow-visible">
        <defs>
          <pattern id="ripples" width="28" height="14" patternUnits="userSpaceOnUse">
            <path d="M2 7q5 -4 10 0t10 0" fill="none" className="stroke-ripple" strokeWidth="1" strokeLinecap="round" />
          </pattern>
        </defs>
        <rect y="58" width="100%" height="30" className="fill-water" />
        <rect y="66" width="100%" height="22" fill="url(#ripples)" />
        <rect y="56.5" width={`${at}%`} height="3" className="sails fill-accent" />
        <svg aria-hidden="true" x={`${at}%`} y="58" overflow="visible" className="sails">
          <Boat {...boat} />
        </svg>
      </svg>
      <Shore isRight />
    </div>
  )
}

function Shore({ isRight = false }: { isRight?: boolean }) {
  return (
    <svg viewBox="0 0 56 88" className={`h-22 w-14 shrink-0 ${isRight ? '-scale-x-100' : ''}`} aria-hidden="true">
      <rect y="58" width="56" height="30" className="fill-water" />
      <path d="M0 46Q14 46 18 52T30 60Q34 72 30 88H0Z" className="fill-land" />
    </svg>
  )
}
