const paths = {
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  note: 'M10 9v5M10 6v.5',
  warning: 'M10 7.5v4M10 14v.5M10 3L17.5 16.5h-15z',
  stop: 'M7 7l6 6M13 7l-6 6',
  arrow: 'M3.5 10h13M12 5.5l4.5 4.5-4.5 4.5',
  back: 'M16.5 10h-13M8 5.5L3.5 10 8 14.5',
  out: 'M8 4H4v12h12v-4M11 4h5v5M16 4l-7 7',
  flag: 'M5 17V3.5M5 4h10l-2.5 3.5L15 11H5',
  pause: 'M7.5 5v10M12.5 5v10',
  play: 'M6.5 4.5v11l9-5.5z',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM13 13l3.5 3.5',
  download: 'M10 3.5v9M6 9l4 4 4-4M4 16.5h12',
} as const

export type IconName = keyof typeof paths

const ringed: readonly IconName[] = ['note', 'stop']

/** An icon. It is hidden from screen readers, because the text beside it says the same. */
export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 20 20"
      aria-hidden="true"
      className={`size-5 shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {ringed.includes(name) && <circle cx="10" cy="10" r="7.5" />}
      <path d={paths[name]} />
    </svg>
  )
}
