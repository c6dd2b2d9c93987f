export interface Figure {
  key: string
  label: string
  value: string
}

/** Large numbers with their names. Shows nothing if there are none. */
export function Figures({ heading, figures }: { heading: string; figures: Figure[] }) {
  if (figures.length === 0) return null
  return (
    <section className="mt-8">
      <h2 className="text-lg font-semibold hyphens-auto wrap-anywhere">{heading}</h2>
      <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        {figures.map(({ key, label, value }) => (
          <div key={key} className="flex min-w-0 flex-col-reverse justify-end">
            <dt className="text-sm text-quiet hyphens-auto wrap-anywhere">{label}</dt>
            <dd className="text-2xl font-semibold tabular-nums sm:text-3xl">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
