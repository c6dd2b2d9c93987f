/** The result of one check. `fix` names the command or the change that solves the problem. */
export type Finding =
  | { check: string; state: 'ok'; message: string }
  | { check: string; state: 'warning' | 'broken'; message: string; fix: string }

export const fine = (check: string, message: string): Finding => ({ check, state: 'ok', message })
export const worth = (check: string, message: string, fix: string): Finding => ({
  check,
  state: 'warning',
  message,
  fix,
})
export const broken = (check: string, message: string, fix: string): Finding => ({
  check,
  state: 'broken',
  message,
  fix,
})

/** The reason of an error in one line. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  const text = error instanceof Error ? error.message || ((error as NodeJS.ErrnoException).code ?? error.name) : error
  return String(text).split('\n')[0] ?? ''
}

export function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** step
  return `${step === 0 || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${units[step]}`
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`
