export interface BoatProps {
  /** The number of crates on board, 0 to 3. */
  cargo: number
  /** Whether the sail is up. */
  isSailing: boolean
  isReturning: boolean
}

/** The origin is the middle of the boat at the waterline. The bow points to the right. */
export function Boat({ cargo, isSailing, isReturning }: BoatProps) {
  return (
    <g transform={isReturning ? 'scale(-1 1)' : undefined}>
      {Array.from({ length: cargo }, (_, index) => index * 9 - 19).map((x) => (
        <rect key={x} x={x} y="-12" width="7.5" height="7.5" rx="1" className="fill-cargo" />
      ))}
      <path d="M10 -5V-42" className="stroke-quiet" strokeWidth="1.75" strokeLinecap="round" />
      {isSailing ? (
        <path d="M8 -40C-6 -36 -16 -28 -19 -15Q-4 -12 8 -15Z" className="fill-accent" />
      ) : (
        <path d="M8.5 -16H-18" className="stroke-accent" strokeWidth="4" strokeLinecap="round" />
      )}
      <path d="M-26 -5H28Q25 6 15 6H-16Q-24 6 -26 -5Z" className="fill-ink" />
    </g>
  )
}

/** The boat alone, as our logo. */
export function BoatMark() {
  return (
    <svg viewBox="-32 -46 64 56" className="h-14 w-16" aria-hidden="true">
      <Boat cargo={0} isSailing isReturning={false} />
    </svg>
  )
}
