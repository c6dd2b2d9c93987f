export interface BarPart {
  key: string
  count: number
  className: string
}

/** A bar whose parts add up to the whole. The numbers beside it say the same. */
export function StackedBar({ parts, whole }: { parts: BarPart[]; whole: number }) {
  let start = 0
  const placed = parts
    .filter(({ count }) => count > 0)
    .map((part) => {
      const at = start
      start += part.count
      return { ...part, at }
    })
  const percent = (count: number) => `${whole === 0 ? 0 : (count / whole) * 100}%`
  return (
    <svg aria-hidden="true" className="block h-2 w-full rounded-full bg-line" preserveAspectRatio="none">
      {placed.map(({ key, count, at, className }) => (
        <rect key={key} x={percent(at)} width={percent(count)} height="8" className={`sails ${className}`} />
      ))}
    </svg>
  )
}
