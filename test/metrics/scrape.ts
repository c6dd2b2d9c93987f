export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** The samples that Prometheus would read at this address. */
export async function scrape(url: string): Promise<Sample[]> {
  const answer = await fetch(url)
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  return readSamples(await answer.text())
}

export function readSamples(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      if (name === undefined) throw new Error(`not a sample: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

/** The sum of the samples with this name and these labels. */
export function sum(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  return samples
    .filter((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    .reduce((total, { value }) => total + value, 0)
}

/** All values of a label. */
export const valuesOf = (samples: readonly Sample[], name: string, label: string): Set<string> =>
  new Set(samples.filter((one) => one.name === name).map(({ labels }) => labels[label] ?? ''))
