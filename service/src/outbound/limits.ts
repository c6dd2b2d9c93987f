/** The properties of a request that limits use. */
export interface CountedRequest {
  method: string
  url: URL
}

/** The values that an answer reports about a limit. */
export interface ToldLimit {
  /** Maximum per window. It may differ between a vendor's plans. */
  limit?: number
  /** What is left of the window. */
  remaining?: number
  /** Milliseconds until the window ends. */
  resetMs?: number
}

export interface CountedAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
}

/** One of the limits that a vendor sets for an account, such as 400 requests a minute or 30,000 points a day. */
export interface LimitBucket {
  name: string
  /** Length of the window. */
  perMs: number
  /** Maximum per window; null if only answers report it. */
  limit: number | null
  /**
   * True if windows begin at the full minute, hour or day (UTC). Otherwise the limit holds for any time span of that
   * length.
   */
  isAligned?: true
  /** The cost of a request; 0 if it does not count here. Default: 1. */
  cost?(request: CountedRequest): number
  /** The values that an answer reports; null if there are none. They replace our own count until the window ends. */
  learn?(answer: CountedAnswer, request: CountedRequest): ToldLimit | null
}

/** How the header gives a window's end: seconds from now, seconds since 1970, or a date. */
type ResetForm = 'seconds' | 'unix' | 'date'

/** Reads a limit from headers with these names, as most vendors send them. */
export function readLimitHeaders(names: {
  limit?: string
  remaining?: string
  reset?: string
  resetForm?: ResetForm
}): (answer: CountedAnswer) => ToldLimit | null {
  return ({ headers }) => {
    const numberAt = (name: string | undefined) => {
      const text = name === undefined ? undefined : headers[name.toLowerCase()]
      return typeof text === 'string' && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
    }
    const [limit, remaining] = [numberAt(names.limit), numberAt(names.remaining)]
    if (limit === undefined && remaining === undefined) return null
    const text = names.reset === undefined ? undefined : headers[names.reset.toLowerCase()]
    const resetMs = typeof text === 'string' ? msUntil(text.trim(), names.resetForm ?? 'seconds') : undefined
    return {
      ...(limit !== undefined && { limit }),
      ...(remaining !== undefined && { remaining }),
      ...(resetMs !== undefined && { resetMs }),
    }
  }
}

function msUntil(text: string, form: ResetForm): number | undefined {
  const ms =
    form === 'date'
      ? Date.parse(text) - Date.now()
      : form === 'unix'
        ? Number(text) * 1000 - Date.now()
        : Number(text) * 1000
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
