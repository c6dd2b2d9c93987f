export interface ProgressBarProps {
  label: string
  percent: number
  words: string
}

/** Visible only with reduced motion. Otherwise the boat shows the progress, and this bar is for screen readers. */
export function ProgressBar({ label, percent, words }: ProgressBarProps) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(percent)}
      aria-valuetext={words}
      className="sr-only rounded-full bg-line motion-reduce:not-sr-only motion-reduce:mt-3 motion-reduce:h-2 motion-reduce:overflow-hidden"
    >
      <svg width="100%" height="8" aria-hidden="true">
        <rect width={`${percent}%`} height="8" className="fill-accent" />
      </svg>
    </div>
  )
}
